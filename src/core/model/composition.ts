import { z } from 'zod';
import { compressionSettingsSchema } from './version.ts';

export const componentSchema = z.object({
  /** Absent: the composition's own project. */
  projectId: z.string().optional(),
  sessionId: z.string(),
  /** `original`, or the versions of its parts: `part1_v002+part2_v001`; what was made for it alone is `composed`. */
  versionId: z.string(),
  order: z.number().int().min(0),
  tokenContribution: z.number().int(),
  recompress: z.object({ settings: compressionSettingsSchema, reason: z.string() }).optional(),
});

export const compositionSchema = z.object({
  compositionId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  components: z.array(componentSchema),
  outputFile: z.string(),
  totalTokens: z.number().int(),
  totalMessages: z.number().int(),
  usedInSessions: z.array(z.string()),
  /** When a session last began from it. */
  lastUsed: z.string().optional(),
});
export type ComposedContextRecord = z.infer<typeof compositionSchema>;
