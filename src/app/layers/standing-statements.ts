import { negates, wishOf } from '../../core/layers/facts/polarity.ts';
import { settledStatements } from '../../core/layers/facts/settled-statements.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import { overturnedLater } from '../../core/statements/overturned-later.ts';
import type { World } from '../world.ts';
import { updatedStatements } from './statements.ts';

/** Statements by session, as far as they are still true. */
export type TrueStatements = ReadonlyMap<string, SessionStatement[]>;

/**
 * What a project's sessions of this user state and nobody took back since: neither a later session nor an edit of a fact. What
 * was corrected has the user's words.
 */
export async function trueStatements(
  world: World,
  project: ProjectId,
  { sessions, factEdits = [] }: Pick<Manifest, 'sessions' | 'factEdits'>,
): Promise<TrueStatements> {
  const stated = [];
  for (const record of Object.values(sessions)) {
    if (!record.registered || record.by !== undefined || isOutdated(record)) continue;
    const statements = await updatedStatements(world, project, record);
    stated.push({ sessionId: record.sessionId, last: record.lastTimestamp, statements });
  }
  const overturned = overturnedLater(stated, (earlier, later) => negates(wishOf(earlier), wishOf(later)));
  const settled = settledStatements(
    stated.flatMap(({ statements }) => statements),
    factEdits,
  );
  return new Map(
    stated.map(({ sessionId, statements }) => [
      sessionId,
      statements.flatMap((statement) => {
        const verdict = settled.get(statement.id);
        // The user's own word counts more than what a later session seems to say.
        if (verdict && 'content' in verdict) return [{ ...statement, text: verdict.content }];
        return verdict || overturned.has(statement.id) ? [] : [statement];
      }),
    ]),
  );
}
