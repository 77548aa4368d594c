import { z } from 'zod';
import { projectIdSchema, sessionIdSchema } from './id-schemas.ts';

/** A session of one project that helps in another (SharedMemoryLink); it is in the target's manifest. */
export const linkSchema = z.object({
  linkId: z.string(),
  sourceProject: projectIdSchema,
  sourceSession: sessionIdSchema,
  targetProject: projectIdSchema,
  linkedAt: z.string(),
  reason: z.string(),
});
export type SharedMemoryLink = z.infer<typeof linkSchema>;
