import { z } from 'zod';
import { linkSchema } from '../../../core/model/link.ts';
import { keepitMarkerSchema, sessionRecordSchema } from '../../../core/model/session.ts';
import { partSchema, versionRecordSchema } from '../../../core/model/version.ts';
import { VIAS } from '../../../core/model/via.ts';

/** Put on all that is in several answers, so that the document has it once. */
export const versionSchema = versionRecordSchema.meta({ id: 'Version' });

const effective = {
  added: z.literal(true).optional().meta({ description: 'added afterwards' }),
  writtenWeight: z.number().optional().meta({ description: 'the marker as it is in the message' }),
  confirmed: z.literal(true).optional(),
};

export const presetSchema = z.enum(['pinned', 'critical', 'important', 'notable', 'minor', 'hint']);

export const markerSchema = keepitMarkerSchema.extend(effective).meta({ id: 'Marker' });

export const keepitSchema = keepitMarkerSchema
  .extend({
    ...effective,
    preset: presetSchema,
    projectId: z.string(),
    projectName: z.string(),
    sessionId: z.string(),
    by: z.string().meta({ description: "`me`, or another person's name" }),
    via: z.enum(VIAS),
    removed: z.literal(true).optional(),
  })
  .meta({ id: 'Keepit' });

export const sessionSchema = sessionRecordSchema
  .extend({
    keepitMarkers: z.array(markerSchema),
    compressions: z.array(versionSchema),
    projectId: z.string(),
    projectName: z.string(),
    folder: z.string().meta({ description: 'its working directory' }),
    sample: z.literal(true).optional(),
  })
  .meta({ id: 'Session' });

export const sessionDetailsSchema = sessionSchema
  .extend({
    archivedFile: z.string(),
    l1Path: z.string().nullable(),
    notRecorded: z
      .object({ by: z.enum(['session', 'marker', 'setting']), at: z.string() })
      .optional()
      .meta({ description: 'new text is not recorded, and why' }),
  })
  .meta({ id: 'SessionDetails' });

export const projectSchema = z
  .object({
    projectId: z.string(),
    originalPath: z.string(),
    displayName: z.string(),
    createdAt: z.string(),
    lastModified: z.string(),
    lastAccessed: z.string(),
    identity: z.string().optional().meta({ description: 'identity of the repository' }),
    folders: z
      .array(
        z.object({
          projectId: z.string(),
          originalPath: z.string(),
          displayName: z.string(),
          sessionCount: z.number().int(),
          lastTimestamp: z.string().nullable(),
          reason: z.string().meta({ description: 'why it belongs to the project' }),
        }),
      )
      .meta({ description: 'checkouts, worktrees and clones of the repository, main checkout first' }),
    sample: z.literal(true).optional(),
    notRecorded: z.enum(['marker', 'setting']).optional().meta({ description: 'not recorded, and why' }),
    sessionCount: z.number().int(),
    messages: z.number().int(),
    tokens: z.number().int(),
    bytes: z.number().int(),
    keepits: z.number().int(),
    pinned: z.number().int().meta({ description: 'keepits with weight 1.00' }),
    compressed: z.number().int().meta({ description: 'sessions that have a version' }),
    covered: z.number().int().meta({ description: 'tokens that have a version' }),
    shortest: z.number().int().meta({ description: 'tokens of the shortest version of each part' }),
    agents: z.array(z.string()).meta({ description: 'agents of its sessions' }),
    authors: z.array(z.string()).meta({ description: 'other authors of its sessions' }),
    activity: z
      .array(z.number().int())
      .meta({ description: 'tokens in equal steps from the first to the last session' }),
    firstTimestamp: z.string().nullable(),
    lastTimestamp: z.string().nullable(),
  })
  .meta({ id: 'Project' });

export const projectDetailsSchema = projectSchema
  .extend({ sessions: z.array(sessionSchema).optional() })
  .meta({ id: 'ProjectDetails' });

export const l1LineSchema = z
  .object({
    ts: z.string(),
    role: z.enum(['user', 'assistant', 'tool', 'system']),
    name: z.string().optional(),
    text: z.string().optional(),
    target: z.string().optional(),
    lines: z.string().optional(),
    diff: z.string().optional(),
    result: z.string().optional(),
    queued: z.literal(true).optional(),
    reply: z.literal(true).optional(),
    asked: z.string().optional().meta({ description: 'the question that a reply answers' }),
    choice: z.string().optional().meta({ description: 'description of the chosen option' }),
    command: z.string().optional().meta({ description: 'the slash command before the words' }),
    aside: z.literal(true).optional().meta({ description: 'addressed to the client, not to the agent' }),
    sent: z.number().int().optional(),
    replaces: z.number().int().optional(),
    id: z.string().optional(),
    src: z.number().int().meta({ description: 'byte offset of its line in the original' }),
  })
  .meta({ id: 'Line' });

export const usedVersionSchema = versionRecordSchema
  .extend({
    contentId: z.string().optional().meta({ description: 'the same in every archive that has it' }),
    usedIn: z.array(z.string()),
    lastUsed: z.string().nullable(),
  })
  .meta({ id: 'UsedVersion' });

export const uncoveredFields = {
  newMessages: z
    .number()
    .int()
    .meta({ description: 'messages after the last part; the next part includes them' }),
  newTokens: z.number().int(),
  waiting: z
    .number()
    .int()
    .meta({ description: 'messages of an unfinished exchange; `force` includes them' }),
  waitingTokens: z.number().int(),
  waitingReason: z.string().optional(),
};
export const uncoveredSchema = z
  .object(uncoveredFields)
  .meta({ id: 'Uncovered', description: 'text that is in no part of the session' });

export const versionListSchema = z
  .object({
    sessionId: z.string(),
    projectId: z.string(),
    originalTokens: z.number().int(),
    originalMessages: z.number().int(),
    originalUsedIn: z.array(z.string()),
    parts: z.array(partSchema.extend({ versions: z.array(usedVersionSchema) })),
    older: z.array(usedVersionSchema),
    uncovered: uncoveredSchema.optional(),
  })
  .meta({ id: 'VersionList' });

export const linkRowSchema = linkSchema
  .extend({
    sourceName: z.string(),
    targetName: z.string(),
    title: z.string(),
    gone: z.literal(true).optional(),
  })
  .meta({ id: 'Link' });

const problemSchema = z.object({ path: z.string(), message: z.string(), hint: z.string().optional() });

const reportFields = {
  found: z.number().int(),
  added: z.number().int(),
  grown: z.number().int(),
  same: z.number().int(),
  replaced: z.number().int(),
  skipped: z.number().int(),
  leftOut: z
    .object({
      unknownAgent: z.number().int(),
      notRecorded: z.number().int(),
      unusedComposition: z.number().int(),
    })
    .describe('How many of the skipped files are of unknown agents, not recorded, or composed and not used.'),
  bytes: z.number().int(),
  problems: z.array(problemSchema),
  notes: z.array(z.string()),
};

export const syncReportSchema = z.object(reportFields).meta({ id: 'SyncReport' });

export const registeredSchema = z
  .object({
    ...reportFields,
    sessions: z.array(z.object({ projectId: z.string(), sessionId: z.string() })),
  })
  .meta({ id: 'Registered' });

export const findingSchema = z
  .object({
    level: z.enum(['ok', 'warning', 'error']),
    subject: z.string(),
    message: z.string(),
    hint: z.string().optional(),
  })
  .meta({ id: 'Finding' });
