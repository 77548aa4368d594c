import { Fault } from '../core/model/fault.ts';

export type Page<T> = { items: T[]; next: string | null };
export type PageRequest = { limit?: number; after?: string };

/** One page of a list, largest key first. A cursor names the last key seen, so new items in front move nothing. */
export function page<T>(items: T[], keyOf: (item: T) => string, request: PageRequest = {}): Page<T> {
  const after = request.after === undefined ? undefined : readCursor(request.after);
  const sorted = items
    .map((item) => ({ item, key: keyOf(item) }))
    .filter(({ key }) => after === undefined || key < after)
    .sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0));
  const taken = request.limit === undefined ? sorted : sorted.slice(0, request.limit);
  const last = taken.at(-1);
  const more = last !== undefined && taken.length < sorted.length;
  return { items: taken.map(({ item }) => item), next: more ? cursorOf(last.key) : null };
}

/** One page of a list, smallest key first: for what is read from its beginning. */
export function pageInOrder<T>(items: T[], keyOf: (item: T) => string, request: PageRequest = {}): Page<T> {
  const after = request.after === undefined ? undefined : readCursor(request.after);
  const left = items.filter((item) => after === undefined || keyOf(item) > after);
  const taken = request.limit === undefined ? left : left.slice(0, request.limit);
  const last = taken.at(-1);
  const more = last !== undefined && taken.length < left.length;
  return { items: taken, next: more ? cursorOf(keyOf(last)) : null };
}

function cursorOf(key: string): string {
  return Buffer.from(`1${key}`).toString('base64url');
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith('1') && cursorOf(text.slice(1)) === cursor) return text.slice(1);
  throw new Fault('usage', `${JSON.stringify(cursor.slice(0, 60))} is not a cursor.`, {
    hint: 'Use the value of `next` from the page before.',
  });
}
