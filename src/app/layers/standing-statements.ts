import { effectiveEdits } from '../../core/layers/facts/effective-edits.ts';
import { negates, wishOf } from '../../core/layers/facts/polarity.ts';
import { isOfRejected, rejectedPlaces } from '../../core/layers/facts/rejected-places.ts';
import { type Settled, settledStatements } from '../../core/layers/facts/settled-statements.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import { overturnedLater, type StatedSession } from '../../core/statements/overturned-later.ts';
import type { World } from '../world.ts';
import { currentStatements } from './statements.ts';

/** Statements by session, as far as they are still true. */
export type TrueStatements = ReadonlyMap<string, SessionStatement[]>;

/**
 * What a project's sessions of this user state and nobody took back since: neither a later session nor an edit of a fact. What
 * was corrected has the user's words.
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

/** By session, what it stated and was taken back or corrected since, in each of its wordings. */
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

/** In the words of the user, who wrote them down. */
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
  const overturned = overturnedLater(stated, (earlier, later) => negates(wishOf(earlier), wishOf(later)));
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
