import { shortHash } from '../model/ids.ts';
import type { ReadObject } from '../model/read-object.ts';
import { millisOf } from '../text/utc.ts';

const REMEMBERED = 100;
/** The two copies of a message are written at once; the same words later are another message. */
const AT_ONCE_MS = 1000;
/** A busy machine may take longer, with nothing said in between. */
const NEXT_MS = 10_000;

/** Messages of an agent that writes each twice, and whose second copy has not come yet; `waiting`: the place of one that needs it. */
export type UnpairedCopies = [copy: 'item' | 'event', words: string, millis: number, waiting: number][];

/** Since this version every message that was typed is an event. */
const EVENTS_SINCE = 118;
const NOT_WAITING = -1;

type CopyState = { told?: UnpairedCopies; marked?: string; facts: { version?: string } };

/**
 * Whether a message is left to the other of its two forms: it was read before, or the other one has to show first that it was
 * typed. Each copy pairs with one other.
 */
export function isOtherCopy(state: CopyState, { entries }: ReadObject): boolean {
  const [entry] = entries;
  if (!entry || (entry.kind !== 'user' && entry.kind !== 'assistant') || !entry.copy) return false;
  state.told ??= [];
  const waits = entry.kind === 'user' && entry.copy === 'item' && writesEvents(state);
  if (entry.kind === 'user' && entry.copy === 'event') state.marked = entry.ts;
  const words = shortHash(`${entry.kind}\n${entry.text.trim()}`, 16);
  const now = millisOf(entry.ts) ?? 0;
  const last = state.told.length - 1;
  const at = state.told.findIndex(
    ([copy, known, millis], place) =>
      copy !== entry.copy &&
      known === words &&
      Math.abs(now - millis) < (place === last ? NEXT_MS : AT_ONCE_MS),
  );
  if (at !== -1) {
    const [copy] = state.told.splice(at, 1);
    return copy?.[3] === NOT_WAITING;
  }
  state.told.push([entry.copy, words, now, waits ? entry.src[0] : NOT_WAITING]);
  if (state.told.length > REMEMBERED) state.told.shift();
  return waits;
}

/** Where items wait whose event has not come before the agent answered them: the client put them there. Each is named once. */
export function unconfirmedItems(state: CopyState, { entries }: ReadObject): number[] {
  const answers = entries.some(({ kind }) => kind === 'assistant' || kind === 'tool-call');
  if (!answers || !state.told) return [];
  const waiting = state.told.filter(([, , , src]) => src !== NOT_WAITING);
  if (waiting.length > 0) state.told = state.told.filter(([, , , src]) => src === NOT_WAITING);
  return waiting.map(([, , , src]) => src);
}

function writesEvents({ marked, facts }: CopyState): boolean {
  const [, minor = '0'] = /^0\.(\d+)\./.exec(facts.version ?? '') ?? [];
  return marked !== undefined || Number(minor) >= EVENTS_SINCE;
}
