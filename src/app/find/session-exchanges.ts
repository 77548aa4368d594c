import { type Exchange, exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import type { World } from '../world.ts';
import { type RefinedSession, readL1 } from './read-l1.ts';

/** A session as asks and what each caused. */
export async function readExchanges(
  world: World,
  session: Pick<RefinedSession, 'sessionId' | 'projectId' | 'l1'>,
): Promise<Exchange[]> {
  return exchangesOf(session.sessionId, await readL1(world, session));
}
