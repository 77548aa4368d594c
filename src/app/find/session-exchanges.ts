import { type Exchange, exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import type { World } from '../world.ts';
import { type L1Session, readL1 } from './read-l1.ts';

/** A session as asks and what each caused. */
export async function readExchanges(
  world: World,
  session: Pick<L1Session, 'sessionId' | 'projectId' | 'l1'>,
): Promise<Exchange[]> {
  return exchangesOf(session.sessionId, await readL1(world, session));
}
