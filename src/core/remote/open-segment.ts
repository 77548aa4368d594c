import { createDecipheriv } from 'node:crypto';
import { parseOutside } from '../model/parse-stored.ts';
import { attempt } from './attempt.ts';
import { deviceOf, isSignedBy } from './device-key.ts';
import { memberProof, type RemoteKeys } from './remote-key.ts';
import { NONCE_BYTES, type Packing, segmentId, signedDigest } from './seal-segment.ts';
import { SEGMENT_FORMAT, type SegmentHeader, segmentHeaderSchema } from './segment-header.ts';
import type { SegmentName } from './segment-name.ts';

/** Largest file that is looked at, and the most that may come out of one. */
export const MOST_SEALED = 24 * 1024 * 1024;
const MOST_UNPACKED = 64 * 1024 * 1024;
const MOST_ROWS = 200_000;
const LONGEST_HEADER = 2048;
const SIGNATURE_BYTES = 64;
const TAG_BYTES = 16;
const NEWLINE = 0x0a;

export type OpenedSegment =
  | { state: 'read'; header: SegmentHeader; lines: string[] }
  /** Not the bytes that the name says: torn, flipped, cut. A machine with the right bytes sends them again. */
  | { state: 'damaged'; why: string }
  /** Whole, and not to be believed. */
  | { state: 'refused'; why: string }
  | { state: 'newer'; why: string };

/** Reads what a store gave for a name. Never throws, whatever the bytes are. `isVerified`: its name was kept here after the signature was checked. */
export function openSegment(
  name: SegmentName,
  bytes: Buffer,
  { keys, packing }: { keys: RemoteKeys; packing: Packing },
  isVerified = false,
): OpenedSegment {
  if (bytes.length > MOST_SEALED) return refused('it is larger than the limit for segments');
  if (segmentId(bytes) !== name.id) return { state: 'damaged', why: 'its content does not match its name' };
  const end = bytes.subarray(0, LONGEST_HEADER).indexOf(NEWLINE) + 1;
  const value = parseOutside(bytes.subarray(0, end).toString('utf8')) as { v?: unknown } | undefined;
  if (typeof value?.v === 'number' && value.v > SEGMENT_FORMAT)
    return { state: 'newer', why: `it was written by a newer version of Keepsake (format ${value.v})` };
  const header = segmentHeaderSchema.safeParse(value).data;
  if (!header || bytes.length < end + SIGNATURE_BYTES) return refused('it has no header');
  const { repo, device, lane, seq } = header;
  if (repo !== name.repo || device !== name.device || lane !== name.lane || seq !== name.seq)
    return refused('its header does not match its name');
  if (deviceOf(header.key) !== device) return refused('its key does not belong to its device');
  if (memberProof(keys, header.key) !== header.member)
    return refused('its device does not have the key of the remote');
  const head = bytes.subarray(0, end);
  const signature = bytes.subarray(end, end + SIGNATURE_BYTES);
  const body = bytes.subarray(end + SIGNATURE_BYTES);
  if (!isVerified && !isSignedBy(header.key, signedDigest(head, body), signature))
    return refused('its signature is invalid');
  if (header.raw > MOST_UNPACKED || header.rows > MOST_ROWS) return refused('it is too large when unpacked');
  const packed = header.epoch === 0 ? body : decrypted(body, head, keys.seal);
  const text = packed && packing.unpack(packed, header.raw);
  if (!text) return refused("it can't be decrypted with this key");
  const lines = text.toString('utf8').split('\n');
  if (lines.pop() !== '' || lines.length !== header.rows)
    return refused('its number of lines does not match its header');
  return { state: 'read', header, lines };
}

function refused(why: string): OpenedSegment {
  return { state: 'refused', why };
}

function decrypted(body: Buffer, head: Buffer, key: Buffer): Buffer | undefined {
  if (body.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const cipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(head).setAuthTag(body.subarray(-TAG_BYTES));
  return attempt(() =>
    Buffer.concat([cipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()]),
  );
}
