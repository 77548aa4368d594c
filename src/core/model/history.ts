import { z } from 'zod';
import { sessionIdSchema } from './id-schemas.ts';

/** One line of history.jsonl: what was done to the project's memory, and when. */
export const historyEventSchema = z.object({
  at: z.string(),
  action: z.enum([
    'create',
    'register',
    'grow',
    'replaced',
    'unregister',
    'purge',
    'rename',
    'join',
    'split',
    'import',
    'migrate',
    'recover',
    'settings',
    'keepit',
    'compress',
    'prune',
    'compose',
    'link',
    'memory',
    'fact',
    'concept',
    'journal',
    'decay',
    'export',
  ]),
  sessionId: sessionIdSchema.optional(),
  /** A sentence for a person. */
  note: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type HistoryEvent = z.infer<typeof historyEventSchema>;
