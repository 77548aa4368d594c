import { Fault } from '../core/model/fault.ts';
import { shortHash } from '../core/model/ids.ts';

export type Page<T> = { items: T[]; next: string | null };
export type PageRequest = { limit?: number; after?: string };

/** One page of a list, largest key first. A cursor names the last key seen, so new items in front move nothing. */
export function page<T>(items: T[], keyOf: (item: T) => string, request: PageRequest = {}): Page<T> {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  const after = request.after === undefined ? undefined : keyAfter(request.after, keyed);
  const sorted = keyed
    .filter(({ key }) => after === undefined || key < after)
    .sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0));
  const taken = request.limit === undefined ? sorted : sorted.slice(0, request.limit);
  const last = taken.at(-1);
  const more = last !== undefined && taken.length < sorted.length;
  return { items: taken.map(({ item }) => item), next: more ? cursorOf(last.key) : null };
}

/** One page of a list, smallest key first: for what is read from its beginning. */
export function pageInOrder<T>(items: T[], keyOf: (item: T) => string, request: PageRequest = {}): Page<T> {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  const after = request.after === undefined ? undefined : keyAfter(request.after, keyed);
  const left = keyed.filter(({ key }) => after === undefined || key > after);
  const taken = request.limit === undefined ? left : left.slice(0, request.limit);
  const last = taken.at(-1);
  const more = last !== undefined && taken.length < left.length;
  return { items: taken.map(({ item }) => item), next: more ? cursorOf(last.key) : null };
}

/** A cursor that a person can read and type: it holds as long as the item that it names is in the list. */
export function shortCursor(cursor: string): string {
  return shortMark(readCursor(cursor));
}

/** Cursors begin with `M`, which no hexadecimal digit is. */
const SHORT = /^[0-9a-f]{8}$/;

function shortMark(key: string): string {
  return shortHash(key, 8);
}

function keyAfter(cursor: string, keyed: readonly { key: string }[]): string {
  if (!SHORT.test(cursor)) return readCursor(cursor);
  const last = keyed.find(({ key }) => shortMark(key) === cursor);
  if (last) return last.key;
  throw new Fault('usage', `The cursor ${cursor} is not in this list.`, {
    hint: 'The list has changed, or the options differ. Start again without --after.',
  });
}

function cursorOf(key: string): string {
  return Buffer.from(`1${key}`).toString('base64url');
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith('1') && cursorOf(text.slice(1)) === cursor) return text.slice(1);
  throw new Fault('usage', `${JSON.stringify(cursor.slice(0, 60))} is not a valid cursor.`, {
    hint: 'Use the value of `next` of the previous page.',
  });
}
