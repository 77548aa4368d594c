import { z } from 'zod';
import { compositionSchema } from './composition.ts';
import { conceptEditSchema } from './concept.ts';
import { factEditSchema } from './fact.ts';
import { fieldEditSchema } from './field-edit.ts';
import { projectIdSchema } from './id-schemas.ts';
import { linkSchema } from './link.ts';
import { overlaySchema } from './overlay.ts';
import { repositoryNoteSchema } from './repository.ts';
import { sessionRecordSchema } from './session.ts';
import { partSchema } from './version.ts';

export const purgeMarkSchema = z.object({
  length: z.number().int().min(1),
  roll: z.number().int(),
  hash: z.string(),
  ranges: z.array(z.tuple([z.number().int(), z.number().int()])).optional(),
  plain: z.literal(true).optional(),
  unescaped: z.literal(true).optional(),
  cut: z.literal(true).optional(),
});

/** What must not come back: a session by its id, a text or a message by marks that do not say it. */
export const tombstoneSchema = z.object({
  kind: z.enum(['session', 'text', 'message']),
  id: z.string(),
  at: z.string(),
  salt: z.string().optional(),
  marks: z.array(purgeMarkSchema).optional(),
});
export type Tombstone = z.infer<typeof tombstoneSchema>;

/** Everything the archive knows of one project. `gen` grows by one with every change, logged or folded. */
export const manifestSchema = z.object({
  version: z.string(),
  gen: z.number().int().nonnegative(),
  projectId: projectIdSchema,
  originalPath: z.string(),
  displayName: z.string(),
  createdAt: z.string(),
  lastModified: z.string(),
  gitRemote: z.string().optional(),
  repository: repositoryNoteSchema.optional(),
  /** Records say whose they are; without it what was imported is looked up in the history. */
  authored: z.boolean().optional(),
  /** The built-in example, not the user's own work. */
  sample: z.boolean().optional(),
  sessions: z.record(z.string(), sessionRecordSchema),
  compositions: z.record(z.string(), compositionSchema),
  /** Only what the project sets itself; the rest comes from config.json and the defaults. */
  settings: z.record(z.string(), z.unknown()),
  overlays: z.array(overlaySchema),
  parts: z.record(z.string(), z.array(partSchema)),
  links: z.array(linkSchema),
  tombstones: z.array(tombstoneSchema),
  /** What was done to the project's facts and concepts by hand: a rebuild of the layers applies it again. */
  factEdits: z.array(factEditSchema).optional(),
  conceptEdits: z.array(conceptEditSchema).optional(),
  /** What the user called the project and its sessions, and set: `displayName`, `name` and `settings` follow from it. */
  fieldEdits: z.array(fieldEditSchema).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;
