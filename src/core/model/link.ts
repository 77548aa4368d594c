import { z } from 'zod';

/** A session of one project that helps in another (SharedMemoryLink); it stands in the target's manifest. */
export const linkSchema = z.object({
  linkId: z.string(),
  sourceProject: z.string(),
  sourceSession: z.string(),
  targetProject: z.string(),
  linkedAt: z.string(),
  reason: z.string(),
});
export type SharedMemoryLink = z.infer<typeof linkSchema>;
