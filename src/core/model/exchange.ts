import { z } from 'zod';
import { sessionIdSchema } from './id-schemas.ts';
import { LAYERS_ENGINE } from './layers-engine.ts';

export const OUTCOMES = ['done', 'failed', 'rejected', 'open'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const STATEMENT_KINDS = ['rule', 'preference', 'decision', 'fact'] as const;

/** A sentence of the user that may be meant to last. */
export const statementSchema = z.object({
  text: z.string(),
  kind: z.enum(STATEMENT_KINDS),
  /** From 1 on it is stored at once; below, it has to come again. */
  score: z.number(),
  /** Byte offset of its message in the original, and which sentence of it, from 0. */
  src: z.number().int(),
  sentence: z.number().int(),
});
export type Statement = z.infer<typeof statementSchema>;

/** A command that ended in an error, and how often in this exchange. */
export const failureSchema = z.object({
  command: z.string(),
  error: z.string(),
  times: z.number().int(),
  src: z.number().int(),
});
export type Failure = z.infer<typeof failureSchema>;

/** A command that failed, and passed after files were changed. */
export const breakthroughSchema = z.object({
  command: z.string(),
  error: z.string(),
  attempts: z.number().int(),
  files: z.array(z.string()),
  /** What the agent said about it between the failure and the pass. */
  why: z.string().optional(),
  src: z.number().int(),
});
export type Breakthrough = z.infer<typeof breakthroughSchema>;

/** A sentence that says how something is built. */
export const designSchema = z.object({
  text: z.string(),
  by: z.enum(['user', 'assistant']),
  src: z.number().int(),
});

/** One ask and all it caused (L2). The first seven fields are those that other tools know. */
export const exchangeRecordSchema = z.object({
  id: z.string(),
  ts: z.string(),
  summary: z.string(),
  details: z.string(),
  files: z.array(z.string()),
  keywords: z.array(z.string()),
  /** Lines of the L1 file, counted from 1, both ends included. */
  l1_range: z.tuple([z.number().int(), z.number().int()]),
  outcome: z.enum(OUTCOMES),
  /** Commands whose last run in this exchange passed. */
  commands: z.array(z.string()),
  /** The words that started it, on one line and shortened. */
  ask: z.string(),
  /** The request and its outcome, for lists. */
  title: z.string().optional(),
  /** Subjects of its commits and pull requests, those that say something. */
  commits: z.array(z.string()).optional(),
  tools: z.number().int(),
  errors: z.number().int(),
  src: z.number().int(),
  said: z.array(statementSchema),
  failed: z.array(failureSchema),
  fixed: z.array(breakthroughSchema),
  design: z.array(designSchema),
});
export type ExchangeRecord = z.infer<typeof exchangeRecordSchema>;

/** `memory/sessions/<stem>.l2.json`: the exchanges a line each, and after them what changes as a session grows. */
export const exchangeFileSchema = z.object({
  engine: z.literal(LAYERS_ENGINE),
  sessionId: sessionIdSchema,
  exchanges: z.array(exchangeRecordSchema),
  /** How much of which L1 file it covers, and which engine made that. */
  l1: z.object({
    file: z.string(),
    lines: z.number().int(),
    bytes: z.number().int(),
    engine: z.number().int(),
    /** Ends with these bytes: a file that was rebuilt is noticed. */
    tail: z.string(),
  }),
  /**
   * Byte offset in L1 of the last exchange and of the one before it: a growing session is read from there; `at` is where
   * the latter is in this file, `check` a hash of all from there on: a write that was cut off is noticed.
   */
  resume: z.object({
    before: z.number().int(),
    last: z.number().int(),
    at: z.number().int(),
    check: z.string(),
  }),
});
export type ExchangeFile = z.infer<typeof exchangeFileSchema>;
