import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { BoundedCache } from '../text/bounded-cache.ts';
import { ID_LENGTH } from './segment-name.ts';

/** A device by its key: the id follows from it, so nobody else can write under that id. */
export type DeviceKey = { device: string; publicKey: string; privateKey: KeyObject };

const RAW_BYTES = 32;
/** The DER prefix of the 32 bytes of an Ed25519 key. */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** From 32 random bytes. */
export function deviceKey(seed: Buffer): DeviceKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const raw = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES);
  const publicKey = raw.toString('base64');
  return { device: deviceOf(publicKey), publicKey, privateKey };
}

export function deviceOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, ID_LENGTH);
}

export function signed(bytes: Uint8Array, { privateKey }: DeviceKey): Buffer {
  return sign(null, bytes, privateKey);
}

export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const key = publicKeyOf(publicKey);
  return key !== undefined && verify(null, bytes, key, signature);
}

/** Parsing a key takes as long as a check with it. */
const parsed = new BoundedCache<string, KeyObject>(64);

function publicKeyOf(text: string): KeyObject | undefined {
  const known = parsed.get(text);
  if (known) return known;
  const raw = Buffer.from(text, 'base64');
  if (raw.length !== RAW_BYTES) return undefined;
  const der = Buffer.concat([PUBLIC_HEAD, raw]);
  return parsed.set(text, createPublicKey({ key: der, format: 'der', type: 'spki' }));
}

/** What a device signs to show a hub that it has its key: good for this one invitation or token only. */
export function joinText(secret: string): Buffer {
  return Buffer.from(`keepsake hub join\n${secret}\n`);
}
