import { z } from 'zod';
import { sessionIdSchema } from './id-schemas.ts';
import { stampFields } from './record-stamp.ts';

const base = {
  overlayId: z.string(),
  sessionId: sessionIdSchema,
  markerId: z.string(),
  at: z.string(),
  ...stampFields,
};

/**
 * What a user did to the keepits of a session after the fact. The original stays as it is. Overlays are only ever
 * added, and apply in the order of their stamps.
 */
export const overlaySchema = z.discriminatedUnion('action', [
  z.object({
    ...base,
    action: z.literal('add'),
    weight: z.number().min(0).max(1),
    messageUuid: z.string(),
    /** Redacted; is in the message word for word. */
    content: z.string(),
    position: z.object({ start: z.number().int(), end: z.number().int() }),
    context: z.string(),
    /** Who wrote the message. */
    origin: z.enum(['user', 'assistant']),
    src: z.number().int(),
    /** When the words were said; records of older versions do not have it. */
    saidAt: z.string().optional(),
  }),
  z.object({ ...base, action: z.literal('weight'), weight: z.number().min(0).max(1) }),
  z.object({ ...base, action: z.literal('remove') }),
  z.object({ ...base, action: z.literal('confirm') }),
]);
export type Overlay = z.infer<typeof overlaySchema>;
