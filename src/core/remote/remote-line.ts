import { z } from 'zod';
import { sessionIdSchema } from '../model/id-schemas.ts';
import { ID_LENGTH } from './segment-name.ts';

const id = z.string().regex(new RegExp(`^[0-9a-f]{${ID_LENGTH}}$`));
const at = z.string().max(40);
/** Others compare it and go on from it. */
const mark = z.iso.datetime().max(40);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Lines of a segment beside those that a bundle has. */
export const remoteLineSchema = z.discriminatedUnion('t', [
  /** First line of every segment: which machine wrote it, and what the wall clock there said; among several people, whose it is. */
  z.object({ t: z.literal('device'), name: z.string().max(100), at, member: z.string().max(60).optional() }),
  /** What follows of a file begins at `at` and ends at `end`; `sha256` is that of all its bytes up to there. */
  z.object({
    t: z.literal('piece'),
    session: sessionIdSchema,
    file: z.string().max(900),
    at: z.number().int().min(0),
    end: z.number().int().min(0),
    sha256,
  }),
  /** Segments of the lane `bytes` with the session's original, by number: a machine that only has its talk fetches these. */
  z.object({
    t: z.literal('stored'),
    session: sessionIdSchema,
    seqs: z.array(z.number().int().min(1)).max(10_000),
  }),
  /** The session is private now: it goes wherever it came from this device. `mark`: since when it is private on all of its user's. */
  z.object({ t: z.literal('withdraw'), session: sessionIdSchema, at, mark: mark.optional() }),
  /** It may leave again, from any of them. */
  z.object({ t: z.literal('release'), session: sessionIdSchema, mark }),
  /** A purge was carried out here. */
  z.object({ t: z.literal('confirm'), tombstone: z.string().max(200), at, left: z.number().int().min(0) }),
  /** A device will never come back: others may take its segments down. */
  z.object({ t: z.literal('retire'), device: id, at }),
]);
export type RemoteLine = z.infer<typeof remoteLineSchema>;
