import type { SessionActions, StatedOfFiles } from '../../core/actions/action-lookup.ts';
import { commandLessons } from '../../core/actions/command-lessons.ts';
import { errorLessons } from '../../core/actions/error-lessons.ts';
import { mendedErrors, type RunReader } from '../../core/actions/mended-errors.ts';
import { commandOf, doesWork, errorName, errorNames, onlyShows } from '../../core/layers/command.ts';
import { exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { readL1 } from '../find/read-l1.ts';
import { trueStatements } from '../layers/standing-statements.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';

/** What is read of one session: what its commands taught, and which files changed after which line of L1. */
export type ReadActions = SessionActions & { bytes: number; changed: [line: number, files: string[]][] };

export type ActionSources = { sessions: SessionActions[]; stated: StatedOfFiles[] };
/** Sessions that were read before, by id; those that are read now are added. */
export type KnownActions = Map<string, ReadActions>;
type Folder = Pick<Manifest, 'projectId' | 'sessions' | 'factEdits'>;

/** What this user's sessions of a project say at the point of action. */
export async function actionSources(
  world: World,
  folders: Folder[],
  known: KnownActions,
): Promise<ActionSources> {
  const sources: ActionSources = { sessions: [], stated: [] };
  for (const { projectId, sessions, factEdits } of folders) {
    const read = new Map<string, ReadActions>();
    for (const record of Object.values(sessions)) {
      if (!record.registered || record.by !== undefined || isOutdated(record)) continue;
      const actions = await readActions(world, projectId, record, known);
      read.set(record.sessionId, actions);
      sources.sessions.push(actions);
    }
    const statements = await trueStatements(world, projectId, { sessions, factEdits });
    for (const [sessionId, list] of statements) {
      const changed = read.get(sessionId)?.changed ?? [];
      for (const statement of list) {
        const files = changed.findLast(([line]) => line <= statement.exchange)?.[1] ?? [];
        sources.stated.push({ sessionId, statement, changed: files });
      }
    }
  }
  return sources;
}

const RUNS: RunReader = {
  errorsOf: errorNames,
  commandOf,
  doesWork: (name) => doesWork(name) && !onlyShows(name),
};

/** What the commands of one session taught. */
export async function readActions(
  world: World,
  projectId: ProjectId,
  { sessionId, l1 }: SessionRecord,
  known: KnownActions,
): Promise<ReadActions> {
  const before = known.get(sessionId);
  if (before?.bytes === l1.bytes && before.mended) return before;
  const lines = (await ifReadable(readL1(world, { projectId, l1 }), world.report)) ?? [];
  const changed = exchangesOf(sessionId, lines).map(({ l1_range: [line], files }): [number, string[]] => [
    line,
    files,
  ]);
  const errors = errorLessons(lines, errorName);
  const mended = mendedErrors(lines, RUNS);
  const actions = { sessionId, bytes: l1.bytes, ...commandLessons(lines), errors, mended, changed };
  known.set(sessionId, actions);
  return actions;
}
