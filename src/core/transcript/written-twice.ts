import { shortHash } from '../model/ids.ts';
import { millisOf } from '../text/utc.ts';
import type { ReadObject } from './claude-code/read-object.ts';

const REMEMBERED = 100;
/** The two copies of a message are written at once; the same words later are another message. */
const AT_ONCE_MS = 1000;

/** Messages of an agent that writes each twice, and whose second copy has not come yet. Plain JSON. */
export type UnpairedCopies = [told: 'item' | 'event', words: string, millis: number][];

/** Whether a message was read before in the other of its two forms. Each copy pairs with one other. */
export function isSecondCopy(state: { told?: UnpairedCopies }, { entries }: ReadObject): boolean {
  const [entry] = entries;
  if (!entry || (entry.kind !== 'user' && entry.kind !== 'assistant') || !entry.copy) return false;
  state.told ??= [];
  const words = shortHash(`${entry.kind}\n${entry.text.trim()}`, 16);
  const now = millisOf(entry.ts) ?? 0;
  const at = state.told.findIndex(
    ([copy, known, millis]) => copy !== entry.copy && known === words && Math.abs(now - millis) < AT_ONCE_MS,
  );
  if (at !== -1) {
    state.told.splice(at, 1);
    return true;
  }
  state.told.push([entry.copy, words, now]);
  if (state.told.length > REMEMBERED) state.told.shift();
  return false;
}
