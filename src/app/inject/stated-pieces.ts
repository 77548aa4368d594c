import { sessionLabel } from '../../core/inject/session-label.ts';
import type { SessionStatement, StatedKind } from '../../core/model/statement.ts';
import { oneLine } from '../../core/search/recall-text.ts';
import { wholeSentences } from '../../core/text/sentences.ts';
import type { RecallScope } from '../find/scope.ts';
import { trueStatements } from '../layers/standing-statements.ts';
import type { RecallPiece, RecallSources } from '../recall/sources.ts';
import type { World } from '../world.ts';

type Section = { section: string; kinds: readonly StatedKind[]; most: number; sessions: number };

/** What a new session gets of the statements of earlier ones, and from how many of the latest. */
const SECTIONS = {
  open: { section: 'Left open', kinds: ['open'], most: 5, sessions: 3 },
  decided: { section: 'Decided', kinds: ['decision', 'constraint'], most: 6, sessions: 40 },
  environment: { section: 'Environment', kinds: ['environment', 'lesson'], most: 4, sessions: 40 },
} as const satisfies Record<string, Section>;
type StatedRow = { projectId: string; sessionId: string };
export type StatedSection = keyof typeof SECTIONS;

/** Of a statement: the request and the beginning of its outcome. */
const LONGEST = 400;

/** What is still true of what this user's sessions state, the newest first; and whether a session states anything. */
export async function statedPieces(
  world: World,
  { manifests }: Pick<RecallScope, 'manifests'>,
  sources: RecallSources,
): Promise<Record<StatedSection, RecallPiece[]> & { states: (row: StatedRow) => boolean }> {
  const stated = new Map<string, SessionStatement[]>();
  for (const { projectId, sessions, factEdits } of manifests) {
    if (sources.stale.has(projectId)) continue;
    for (const [id, list] of await trueStatements(world, projectId, { sessions, factEdits }))
      stated.set(`${projectId}/${id}`, list);
  }
  const rows = sources.rows.filter(({ projectId, sessionId }) => stated.has(`${projectId}/${sessionId}`));
  const pieces = ({ section, kinds, most, sessions }: Section): RecallPiece[] => {
    const seen = new Set<string>();
    return rows
      .slice(0, sessions)
      .flatMap(({ projectId: project, sessionId }) =>
        (stated.get(`${project}/${sessionId}`) ?? [])
          .filter(({ kind, tier }) => tier === 'shown' && kinds.includes(kind))
          .reverse()
          .map(({ id, ts, text }): RecallPiece => {
            const source = `session ${sessionLabel(sessionId)}, ${world.clock.local(ts).slice(0, 10)}`;
            const words = wholeSentences(oneLine(text), LONGEST);
            return { kind: 'stated', section, source, text: words, project, sessionId, ts, id, whole: true };
          }),
      )
      .filter(({ text }) => !seen.has(text) && seen.add(text))
      .slice(0, most);
  };
  return {
    open: pieces(SECTIONS.open),
    decided: pieces(SECTIONS.decided),
    environment: pieces(SECTIONS.environment),
    states: ({ projectId, sessionId }) =>
      stated.get(`${projectId}/${sessionId}`)?.some(({ tier }) => tier === 'shown') ?? false,
  };
}
