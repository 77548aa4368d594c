import { z } from 'zod';
import { VIAS } from './via.ts';

/** A date's largest millisecond: one more still fits a number exactly. */
const LAST = 8_640_000_000_000_000;
export const authorSchema = z.string().min(1).max(100);

/** Fields that every edit has beside its own; see `record-order.ts`. Edits of older versions lack them. */
export const stampFields = {
  hlc: z.number().int().min(0).max(LAST).optional(),
  device: z.string().max(100).optional(),
  author: authorSchema.optional(),
  via: z.enum(VIAS).optional(),
};
