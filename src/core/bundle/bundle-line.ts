import { z } from 'zod';
import { compositionSchema } from '../model/composition.ts';
import { conceptEditSchema } from '../model/concept.ts';
import { factEditSchema } from '../model/fact.ts';
import { type FieldEdit, fieldEditSchema } from '../model/field-edit.ts';
import { projectIdSchema, sessionIdSchema as session } from '../model/id-schemas.ts';
import type { SessionId } from '../model/ids.ts';
import { linkSchema } from '../model/link.ts';
import { tombstoneSchema } from '../model/manifest.ts';
import { overlaySchema } from '../model/overlay.ts';
import { authorSchema } from '../model/record-stamp.ts';
import { repositoryNoteSchema } from '../model/repository.ts';
import { sessionRecordSchema } from '../model/session.ts';
import { partSchema } from '../model/version.ts';

/** Grows when an older Keepsake could not read what a newer one writes. */
export const BUNDLE_FORMAT = 1;

const versionId = z.string().regex(/^part\d{1,6}_v\d{3,6}$/, { message: 'not a version' });
/** A name between two slashes, never one that leads elsewhere. */
const segment = z
  .string()
  .max(200)
  .regex(/^(?!\.{1,2}$)(?!\.tmp-)[^/\\\0]+$/, { message: 'not a file name' });

/** What a file is, never where it is: its place is found by who imports it. */
export const bundleFileSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('original'), session }),
  z.object({ kind: z.literal('beside'), session, path: z.array(segment).min(1).max(4) }),
  z.object({ kind: z.literal('version'), session, versionId, ending: z.enum(['md', 'jsonl']) }),
  z.object({ kind: z.literal('composition'), name: segment, ending: z.enum(['md', 'jsonl', 'json']) }),
  z.object({
    kind: z.literal('memory'),
    name: z
      .string()
      .regex(
        /^(?:memory\.md|memory_\d{8}_\d{6}\.(?:md|summary\.json)|memory-index\.json|(?:project|architecture|conventions|workflow|lessons)\.md)$/,
      ),
  }),
  z.object({ kind: z.literal('journal'), path: z.array(segment).min(1).max(3) }),
]);
export type BundleFile = z.infer<typeof bundleFileSchema>;

export const bundleHeaderSchema = z.object({
  keepsake: z.literal('bundle'),
  format: z.number().int().min(1),
  version: z.string(),
  madeAt: z.string(),
  /** Secrets in originals and notes were masked. */
  masked: z.boolean(),
  /** Without sessions. */
  template: z.boolean(),
  /** What its maker goes by. Absent in bundles of older versions. */
  by: authorSchema.optional(),
});
export type BundleHeader = z.infer<typeof bundleHeaderSchema>;

/** Lines of a note and blocks of memory.md, as `rolling/` records them. */
const lineSchema = z
  .object({
    id: z.string().max(40),
    after: z.string().max(40),
    text: z.string().max(1_000_000),
    gone: z.literal(true).optional(),
    masked: z.literal(true).optional(),
    hlc: z.number().int().min(0).optional(),
    device: z.string().max(100).optional(),
    place: z.number().int().min(0).optional(),
  })
  .refine(({ hlc, device, place }) => place !== undefined || (hlc !== undefined && device !== undefined));
const blockSchema = z.object({
  hash: z.string().max(40),
  gone: z.literal(true).optional(),
  masked: z.literal(true).optional(),
  hlc: z.number().int().min(0),
  device: z.string().max(100),
});

const cursorSchema = z.object({ src: z.number().int(), bytes: z.number().int() });

export const bundleLineSchema = z.discriminatedUnion('t', [
  z.object({
    t: z.literal('project'),
    id: projectIdSchema,
    path: z.string(),
    name: z.string(),
    createdAt: z.string(),
    gitRemote: z.string().optional(),
    repository: repositoryNoteSchema.optional(),
    settings: z.record(z.string(), z.unknown()),
    sample: z.boolean().optional(),
    /** Edits of names and settings; older versions have the values only. */
    fields: z.array(fieldEditSchema).optional(),
    notes: z.record(z.string(), z.array(lineSchema)).optional(),
    blocks: z.record(z.string(), blockSchema).optional(),
  }),
  z.object({
    t: z.literal('session'),
    record: sessionRecordSchema,
    /** Of its refined lines: places in them are good only where they are the same. */
    l1: z.object({ bytes: z.number().int(), sha256: z.string() }),
    parts: z.array(partSchema),
    /** How far memory.md had taken it in. */
    cursor: cursorSchema.optional(),
    /** In segments: when its purges were made that its machine knew and had it again after. */
    after: z.array(z.string().max(40)).max(1000).optional(),
  }),
  z.object({ t: z.literal('overlay'), overlay: overlaySchema }),
  z.object({ t: z.literal('tombstone'), tombstone: tombstoneSchema }),
  z.object({ t: z.literal('link'), link: linkSchema }),
  z.object({ t: z.literal('fact'), edit: factEditSchema }),
  z.object({ t: z.literal('concept'), edit: conceptEditSchema }),
  z.object({ t: z.literal('composition'), record: compositionSchema }),
  z.object({ t: z.literal('file'), file: bundleFileSchema }),
  z.object({ t: z.literal('data'), text: z.string().optional(), base64: z.string().optional() }),
  z.object({ t: z.literal('eof'), bytes: z.number().int(), sha256: z.string() }),
  /** sha256 of every line before, each with its newline. */
  z.object({ t: z.literal('end'), lines: z.number().int(), sha256: z.string() }),
]);
export type BundleLine = z.infer<typeof bundleLineSchema>;
type Of<T extends BundleLine['t']> = Extract<BundleLine, { t: T }>;
export type ProjectLine = Of<'project'>;
export type SessionLine = Of<'session'>;

/** All that a bundle says of a project, except for the content of its files. */
export type BundleProject = {
  project: ProjectLine;
  sessions: Map<SessionId, SessionLine>;
  overlays: Of<'overlay'>['overlay'][];
  tombstones: Of<'tombstone'>['tombstone'][];
  links: Of<'link'>['link'][];
  factEdits: Of<'fact'>['edit'][];
  conceptEdits: Of<'concept'>['edit'][];
  fieldEdits: FieldEdit[];
  compositions: Of<'composition'>['record'][];
  files: { file: BundleFile; bytes: number; sha256: string }[];
};
