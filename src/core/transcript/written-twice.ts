import { shortHash } from '../model/ids.ts';
import { millisOf } from '../text/utc.ts';
import type { ReadObject } from './claude-code/read-object.ts';

const REMEMBERED = 100;
/** The two copies of a message are written at once; the same words later are another message. */
const AT_ONCE_MS = 1000;

/** Messages of an agent that writes each twice, and whose second copy has not come yet. Plain JSON. */
export type UnpairedCopies = [told: 'item' | 'event', words: string, millis: number, user: number][];

/** Since this version every message that was typed is an event. */
const EVENTS_SINCE = 118;
const NO_USER = -1;

type CopyState = { told?: UnpairedCopies; marked?: string; facts: { version?: string } };

/** Whether a message was read before in the other of its two forms. Each copy pairs with one other. */
export function isSecondCopy(state: CopyState, { entries }: ReadObject): boolean {
  const [entry] = entries;
  if (!entry || (entry.kind !== 'user' && entry.kind !== 'assistant') || !entry.copy) return false;
  state.told ??= [];
  if (entry.kind === 'user' && entry.copy === 'event') state.marked = entry.ts;
  const words = shortHash(`${entry.kind}\n${entry.text.trim()}`, 16);
  const now = millisOf(entry.ts) ?? 0;
  const at = state.told.findIndex(
    ([copy, known, millis]) => copy !== entry.copy && known === words && Math.abs(now - millis) < AT_ONCE_MS,
  );
  if (at !== -1) {
    state.told.splice(at, 1);
    return true;
  }
  state.told.push([entry.copy, words, now, entry.kind === 'user' ? entry.src[0] : NO_USER]);
  if (state.told.length > REMEMBERED) state.told.shift();
  return false;
}

/**
 * Where items stand as the user's whose event has not come before the agent answered them: the client put them there.
 * Each is named once.
 */
export function unconfirmedItems(state: CopyState, { entries }: ReadObject): number[] {
  const answers = entries.some(({ kind }) => kind === 'assistant' || kind === 'tool-call');
  if (!answers || !state.told || !writesEvents(state)) return [];
  const isOpen = ([copy, , , user]: UnpairedCopies[number]) => copy === 'item' && user !== NO_USER;
  const open = state.told.filter(isOpen);
  if (open.length > 0) state.told = state.told.filter((it) => !isOpen(it));
  return open.map(([, , , user]) => user);
}

function writesEvents({ marked, facts }: CopyState): boolean {
  const [, minor = '0'] = /^0\.(\d+)\./.exec(facts.version ?? '') ?? [];
  return marked !== undefined || Number(minor) >= EVENTS_SINCE;
}
