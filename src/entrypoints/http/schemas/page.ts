import { z } from 'zod';

/** One page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}

/** One page, and how many there are in all. */
export function countedPageOf<Item extends z.ZodType>(item: Item) {
  return pageOf(item).extend({ total: z.number().int() });
}
