/** What a segment carries: records and edits, refined lines, or the bytes of originals. */
export const LANES = ['log', 'talk', 'bytes'] as const;
export type Lane = (typeof LANES)[number];

/** Where a segment is in a store. `id` is the beginning of the SHA-256 of the whole file, so a name says its bytes. */
export type SegmentName = { repo: string; device: string; lane: Lane; seq: number; id: string };

/** Hex digits of a repository, a device and a segment. */
export const ID_LENGTH = 32;
const HEX = `[0-9a-f]{${ID_LENGTH}}`;
const NAME = new RegExp(`^r/(${HEX})/(${HEX})/(${LANES.join('|')})/(\\d{8})-(${HEX})$`);
const LAST_SEQ = 99_999_999;

export function segmentName({ repo, device, lane, seq, id }: SegmentName): string {
  return `r/${repo}/${device}/${lane}/${String(seq).padStart(8, '0')}-${id}`;
}

/** Undefined for other files in the store: a conflicted copy, a note, a file of another program. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const [, repo, device, lane, digits, id] = NAME.exec(name) ?? [];
  if (repo === undefined) return undefined;
  const seq = Number(digits);
  if (seq < 1 || seq > LAST_SEQ) return undefined;
  return { repo, device: device!, lane: lane as Lane, seq, id: id! };
}

/** What is sealed again takes the same place. */
export function segmentPlace({ device, lane, seq }: SegmentName): string {
  return `${device}/${lane}/${seq}`;
}
