import { z } from 'zod';
import { ID_LENGTH, LANES } from './segment-name.ts';

/** Grows when an older Keepsake could not read what a newer one writes. */
export const SEGMENT_FORMAT = 1;

export const MOST_REPLACED = 16;

const id = z.string().regex(new RegExp(`^[0-9a-f]{${ID_LENGTH}}$`));

/** The first line of a segment, readable by anyone who has the file. */
export const segmentHeaderSchema = z.object({
  keepsake: z.literal('segment'),
  v: z.number().int().min(1),
  repo: id,
  device: id,
  /** Base64: the device's id follows from it. */
  key: z.string().length(44),
  /** Made with the remote's key. */
  member: z.string().length(64),
  lane: z.enum(LANES),
  seq: z.number().int().min(1),
  /** Id of the one before in its lane; empty for the first. */
  prev: z.union([id, z.literal('')]),
  /** Id of the segment of the same number that this one takes the place of. */
  replaces: id.optional(),
  /** Earlier segments in this place, newest first: a machine that missed a replacement recognizes them by this. */
  replaced: z.array(id).max(MOST_REPLACED).optional(),
  /** 0: the rest can be read without a key. */
  epoch: z.number().int().min(0).max(1),
  /** Bytes of its lines, and how many there are. */
  raw: z.number().int().min(0),
  rows: z.number().int().min(0),
});
export type SegmentHeader = z.infer<typeof segmentHeaderSchema>;

/** Ids of all segments that had the place of this one before, as far as it names them. */
export function idsReplacedBy({
  replaces,
  replaced = [],
}: Pick<SegmentHeader, 'replaces' | 'replaced'>): string[] {
  return replaces === undefined ? [] : [replaces, ...replaced];
}
