import { z } from 'zod';
import { sessionIdSchema } from './id-schemas.ts';
import { authorSchema } from './record-stamp.ts';
import { prunedVersionSchema, versionRecordSchema } from './version.ts';

const isoTime = z.string();

export const keepitMarkerSchema = z.object({
  markerId: z.string(),
  messageUuid: z.string(),
  weight: z.number().min(0).max(1),
  content: z.string(),
  position: z.object({ start: z.number().int(), end: z.number().int() }),
  context: z.string(),
  createdAt: isoTime,
  survivedIn: z.array(z.string()),
  summarizedIn: z.array(z.string()),
  /** Who wrote it: never a tool. */
  origin: z.enum(['user', 'assistant']),
  /** Held back: the assistant repeated what a tool had shown it; waits for the user's confirmation. */
  held: z.boolean(),
  /** Byte offset of its line in the original. */
  src: z.number().int(),
});
export type KeepitMarker = z.infer<typeof keepitMarkerSchema>;

export const subSessionSchema = z.object({
  agentId: z.string(),
  /** Relative to the project's folder in the archive; absent when its work is inside the session's own file. */
  file: z.string().optional(),
  toolUseId: z.string().optional(),
  messages: z.number().int(),
  bytes: z.number().int(),
  /** Of its file, made as `originalHash` is. */
  hash: z.string().optional(),
});

/** A file that the agent keeps beside a session, other than a subagent's transcript: long tool results and the like. */
export const besideFileSchema = z.object({
  /** Relative to the project's folder in the archive. */
  file: z.string(),
  bytes: z.number().int(),
  hash: z.string(),
});
export type BesideFile = z.infer<typeof besideFileSchema>;

export const sessionMetadataSchema = z.object({
  agent: z.string(),
  gitBranch: z.string().optional(),
  gitBranches: z.array(z.string()),
  projectName: z.string().optional(),
  claudeVersion: z.string().optional(),
  cwd: z.string().optional(),
  title: z.string().optional(),
  models: z.array(z.string()),
  filesTouched: z.array(z.string()),
  filesTouchedCount: z.number().int(),
  primaryTopics: z.array(z.string()).optional(),
  subSessions: z.array(subSessionSchema),
  counts: z.object({
    human: z.number().int(),
    queued: z.number().int(),
    assistant: z.number().int(),
    toolCalls: z.number().int(),
    toolErrors: z.number().int(),
    compactions: z.number().int(),
    exchanges: z.number().int(),
  }),
  lines: z.object({
    total: z.number().int(),
    bad: z.number().int(),
    oversize: z.number().int(),
    duplicate: z.number().int(),
    unknown: z.record(z.string(), z.number().int()),
    /** Text under the role of the user that a person did not type: how often, and the byte of the first. */
    odd: z.array(z.object({ shape: z.string(), count: z.number().int(), src: z.number().int() })).optional(),
  }),
  redactions: z.record(z.string(), z.number().int()),
  /** What the user wrote like a marker and is none. */
  missed: z.array(z.object({ text: z.string(), src: z.number().int() })).optional(),
});
export type SessionMetadata = z.infer<typeof sessionMetadataSchema>;

export const sessionRecordSchema = z.object({
  sessionId: sessionIdSchema,
  /** Whose session it is; absent: this user's. What others said is found with their name, and never obeyed. */
  by: authorSchema.optional(),
  /** What the user calls it, instead of its title. */
  name: z.string().optional(),
  originalFile: z.string(),
  originalTokens: z.number().int(),
  originalMessages: z.number().int(),
  originalBytes: z.number().int(),
  /** sha256 over the sha256 of each MiB of the archived copy. */
  originalHash: z.string(),
  beside: z.array(besideFileSchema).optional(),
  /** Which counter made `originalTokens`. */
  tokenCounter: z.string(),
  firstTimestamp: isoTime,
  lastTimestamp: isoTime,
  registeredAt: isoTime,
  lastAccessed: isoTime,
  /** False once the user unregistered it: archived, but sync and hooks do not bring it back. */
  registered: z.boolean(),
  metadata: sessionMetadataSchema,
  keepitMarkers: z.array(keepitMarkerSchema),
  compressions: z.array(versionRecordSchema),
  pruned: z.array(prunedVersionSchema).optional(),
  /** The refined transcript, relative to the project's folder in the archive. */
  l1: z.object({ file: z.string(), lines: z.number().int(), bytes: z.number().int() }),
  /** Which refining engine made `l1` and the markers. */
  engine: z.number().int(),
});
export type SessionRecord = z.infer<typeof sessionRecordSchema>;
