import { z } from 'zod';
import { stampFields } from './record-stamp.ts';

/** A topic over exchanges (L3). */
export const conceptSchema = z.object({
  /** From its earliest exchange, so that it stays when the concept grows. */
  id: z.string(),
  name: z.string(),
  summary: z.string(),
  exchanges: z.array(z.string()),
  files: z.array(z.string()),
  keywords: z.array(z.string()),
  /** The day of its newest exchange. */
  updated: z.string(),
  sessions: z.array(z.string()),
  /** Its name, or what belongs to it, is the user's word. */
  edited: z.boolean().optional(),
  /** Others whose sessions it is made of, too. */
  by: z.array(z.string()).optional(),
});
export type Concept = z.infer<typeof conceptSchema>;

/** `memory/concepts.json`; `fact-file.ts` checks it. */
export type ConceptFile = {
  /** `LAYERS_ENGINE` of its writer. */
  engine: number;
  /** A hash of what they are made of: as long as it is the same, so are they. */
  of?: string;
  concepts: Concept[];
};

const base = { editId: z.string(), at: z.string(), ...stampFields };

/**
 * What a user did to the concepts. Exchanges are named, not concepts: whatever groups a rebuild makes, those stay together
 * or apart. Edits are only ever added, and apply in the order of their stamps.
 */
export const conceptEditSchema = z.discriminatedUnion('action', [
  z.object({
    ...base,
    action: z.literal('merge'),
    exchanges: z.array(z.string()),
    name: z.string().optional(),
  }),
  z.object({
    ...base,
    action: z.literal('split'),
    exchanges: z.array(z.string()),
    name: z.string().optional(),
  }),
  z.object({
    ...base,
    action: z.literal('rename'),
    exchange: z.string(),
    name: z.string(),
    /** A model's name gives way to a user's. */
    by: z.literal('model').optional(),
  }),
]);
export type ConceptEdit = z.infer<typeof conceptEditSchema>;
