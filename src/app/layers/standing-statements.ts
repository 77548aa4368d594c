import { effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import { negates, wishOf } from '../../core/layers/facts/polarity.ts';
import { isOfRejected, rejectedPlaces } from '../../core/layers/facts/rejected-places.ts';
import { type Settled, settledStatements } from '../../core/layers/facts/settled-statements.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import {
  overturnedBy,
  overturnedLater,
  type StatedSession,
} from '../../core/statements/overturn/overturned-later.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';
import { TAKEN_BACK, TAKEN_BACK_FILE, type TakenBackFile } from './statement-files.ts';
import { currentStatements } from './statements.ts';

/** Statements by session, as far as they are still true. */
export type TrueStatements = ReadonlyMap<string, SessionStatement[]>;

/**
 * Statements of this user's sessions in a project that neither a later session nor an edit of a fact withdrew. Corrected ones
 * have the user's words.
 */
export async function trueStatements(
  world: World,
  project: ProjectId,
  manifest: Pick<Manifest, 'sessions' | 'factEdits'>,
): Promise<TrueStatements> {
  return statementsBy(await verdictsIn(world, project, manifest), (statement, { gone, content }) => {
    if (gone) return [];
    return [content === undefined ? statement : corrected(statement, content)];
  });
}

/** By session, what it stated and was withdrawn or corrected since, in each of its wordings. */
export async function outdatedStatements(
  world: World,
  project: ProjectId,
  manifest: Pick<Manifest, 'sessions' | 'factEdits'>,
): Promise<TrueStatements> {
  return statementsBy(await verdictsIn(world, project, manifest), (statement, { gone, content }) => {
    if (content === undefined) return gone ? [statement] : [];
    return gone ? [statement, corrected(statement, content)] : [statement];
  });
}

/** Orders of which the contrary is said later wait for a review instead. */
const REVIEWED: ReadonlySet<SessionStatement['kind']> = new Set(['rule', 'preference', 'constraint']);

/** Sessions without statements that later ones of this user withdrew, which are marked as replaced; their places are stored for searches. */
export async function withoutTakenBack<T extends StatedSession & { by?: string | undefined }>(
  world: World,
  project: ProjectId,
  all: T[],
): Promise<T[]> {
  const { sessions, file } = takenBackIn(all.filter(({ by }) => by === undefined));
  const { files } = world.archive;
  const before = (await files.read(project, TAKEN_BACK_FILE))?.toString('utf8');
  const text = Object.keys(file.sessions).length === 0 ? undefined : `${JSON.stringify(file)}\n`;
  if (text !== undefined && text !== before) await files.write(project, TAKEN_BACK_FILE, text);
  if (text === undefined && before !== undefined) await files.remove(project, TAKEN_BACK_FILE);
  return [...sessions, ...all.filter(({ by }) => by !== undefined)];
}

function takenBackIn<T extends StatedSession>(sessions: T[]): { sessions: T[]; file: TakenBackFile } {
  const overturned = overturnedBy(sessions, isContrary);
  const file: TakenBackFile = { engine: LAYERS_ENGINE, sessions: Object.create(null) };
  const replaced = new Map<string, SessionStatement['overturned']>();
  for (const { sessionId, statements } of sessions)
    for (const { id, quotes } of statements) {
      const taken = overturned.get(id);
      if (!taken) continue;
      const places = quotes.map(({ src, text }) => ({ id, src, was: text, by: taken.words }));
      file.sessions[sessionId] = [...(file.sessions[sessionId] ?? []), ...places];
      const more = { was: quotes, by: taken.by.quotes.slice(0, 1) };
      replaced.set(taken.by.id, [...(replaced.get(taken.by.id) ?? []), more]);
    }
  const kept = sessions.map((session) => ({
    ...session,
    statements: session.statements
      .filter(({ id, kind }) => !overturned.has(id) || REVIEWED.has(kind))
      .map((one) => ({ ...one, overturned: [...one.overturned, ...(replaced.get(one.id) ?? [])] })),
  }));
  return { sessions: overturned.size === 0 ? sessions : kept, file };
}

/** By session, byte offsets of messages that the user rejected or that a later session withdrew. */
export async function goneMessages(
  world: World,
  project: ProjectId,
  { factEdits = [] }: Pick<Manifest, 'factEdits'>,
): Promise<(sessionId: string) => ReadonlySet<number>> {
  const { value } = await readStored(world, project, TAKEN_BACK_FILE, TAKEN_BACK);
  const gone = new Map<string, Set<number>>();
  const add = (sessionId: string, src: number) =>
    gone.set(sessionId, (gone.get(sessionId) ?? new Set()).add(src));
  for (const [sessionId, places] of Object.entries(value?.sessions ?? {}))
    for (const { src } of places) add(sessionId, src);
  for (const edit of effectiveEdits(factEdits))
    if (edit.action === 'reject') for (const { sessionId, src } of edit.places) add(sessionId, src);
  return (sessionId) => gone.get(sessionId) ?? NONE;
}

const NONE: ReadonlySet<number> = new Set();

function isContrary(earlier: string, later: string): boolean {
  return negates(wishOf(earlier), wishOf(later));
}

type Verdicts = {
  stated: StatedSession[];
  verdictOf: (id: string) => Settled;
};

function statementsBy(
  { stated, verdictOf }: Verdicts,
  pick: (statement: SessionStatement, verdict: Settled) => SessionStatement[],
): TrueStatements {
  return new Map(
    stated.map(({ sessionId, statements }) => [
      sessionId,
      statements.flatMap((statement) => pick(statement, verdictOf(statement.id))),
    ]),
  );
}

const AS_SAID: Settled = { gone: false };

/** In the user's own wording. */
function corrected(statement: SessionStatement, text: string): SessionStatement {
  return { ...statement, text, author: 'user', foundBy: 'memory-file', tier: 'shown', overturned: [] };
}

async function verdictsIn(
  world: World,
  project: ProjectId,
  { sessions, factEdits = [] }: Pick<Manifest, 'sessions' | 'factEdits'>,
): Promise<Verdicts> {
  const stated: StatedSession[] = [];
  for (const record of Object.values(sessions)) {
    if (!record.registered || record.by !== undefined || isOutdated(record)) continue;
    const statements = await currentStatements(world, project, record);
    stated.push({ sessionId: record.sessionId, last: record.lastTimestamp, statements });
  }
  const overturned = overturnedLater(stated, isContrary);
  const settled = settledStatements(
    stated.flatMap(({ statements }) => statements),
    factEdits,
  );
  const places = rejectedPlaces(effectiveEdits(factEdits));
  for (const { sessionId, statements } of places.size === 0 ? [] : stated)
    for (const one of statements)
      if (isOfRejected(one, sessionId, places)) settled.set(one.id, { gone: true });
  return {
    stated,
    // The user's own word counts more than what a later session seems to say.
    verdictOf: (id) => settled.get(id) ?? (overturned.has(id) ? { gone: true } : AS_SAID),
  };
}
