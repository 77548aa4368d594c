import { type Exchange, exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import type { World } from '../world.ts';
import { readL1 } from './read-l1.ts';

/** A session as asks and what each caused. */
export async function readExchanges(
  world: World,
  session: Parameters<typeof readL1>[1],
): Promise<Exchange[]> {
  return exchangesOf(session.sessionId, await readL1(world, session));
}
