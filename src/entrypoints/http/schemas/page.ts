import { z } from 'zod';
import { pageInOrder } from '../../../app/page.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';

/** One page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}

/** One page, and how many there are in all. */
export function countedPageOf<Item extends z.ZodType>(item: Item) {
  return pageOf(item).extend({ total: z.number().int() });
}

type Asked = { limit?: number | undefined; after?: string | undefined };

/** A page of a list that only ever grows at its end, or is short: by the place of each. */
export function inPages<T>(all: readonly T[], { limit, after }: Asked) {
  const placed = all.map((item, at) => ({ item, at: String(at).padStart(12, '0') }));
  const { items, next } = pageInOrder(placed, ({ at }) => at, withoutUndefined({ limit, after }));
  return { items: items.map(({ item }) => item), next, total: all.length };
}
