import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { type DeviceKey, signed } from './device-key.ts';
import { memberProof, type RemoteKeys } from './remote-key.ts';
import { SEGMENT_FORMAT, type SegmentHeader } from './segment-header.ts';
import { ID_LENGTH, type Lane, type SegmentName } from './segment-name.ts';

export type Sealed = { name: SegmentName; bytes: Buffer };

/** Where a segment has its place, and what its lines say. */
export type SegmentDraft = {
  repo: string;
  lane: Lane;
  seq: number;
  prev: string;
  replaces?: string | undefined;
  replaced?: string[] | undefined;
  lines: readonly string[];
};

/** How lines are packed. `unpack` gives undefined for what is not that, or not of that size. */
export type Packing = {
  pack(bytes: Buffer): Buffer;
  unpack(bytes: Buffer, size: number): Buffer | undefined;
};

export type Sealer = { keys: RemoteKeys; device: DeviceKey; packing: Packing; encrypt: boolean };

export const NONCE_BYTES = 12;

/** Lines as a signed file that names its writer. The same draft gives the same bytes. */
export function sealSegment(draft: SegmentDraft, { keys, device, packing, encrypt }: Sealer): Sealed {
  const { lines, repo, lane, seq, prev, replaces, replaced = [] } = draft;
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const header: SegmentHeader = {
    keepsake: 'segment',
    v: SEGMENT_FORMAT,
    repo,
    device: device.device,
    key: device.publicKey,
    member: memberProof(keys, device.publicKey),
    lane,
    seq,
    prev,
    ...(replaces === undefined ? {} : { replaces }),
    ...(replaced.length === 0 ? {} : { replaced }),
    epoch: encrypt ? 1 : 0,
    raw: text.length,
    rows: lines.length,
  };
  const head = Buffer.from(`${JSON.stringify(header)}\n`);
  const packed = packing.pack(text);
  const body = encrypt ? encrypted(packed, head, keys.seal) : packed;
  const signature = signed(signedDigest(head, body), device);
  const bytes = Buffer.concat([head, signature, body]);
  return { name: { repo, device: device.device, lane, seq, id: segmentId(bytes) }, bytes };
}

export function segmentId(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, ID_LENGTH);
}

/** What is signed. */
export function signedDigest(head: Uint8Array, body: Uint8Array): Buffer {
  return createHash('sha256').update(head).update(body).digest();
}

/** The nonce follows from what is encrypted: two segments share one only if they are the same. */
function encrypted(packed: Buffer, head: Buffer, key: Buffer): Buffer {
  const nonce = createHmac('sha256', key).update(head).update(packed).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(head);
  const text = Buffer.concat([cipher.update(packed), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]);
}
