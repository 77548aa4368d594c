import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { BoundedCache } from '../text/bounded-cache.ts';
import { PerOwner } from '../text/per-owner.ts';
import { ID_LENGTH } from './segment-name.ts';

/** The keys that follow from the one key of a remote. Who has that key is one of the user's own devices. */
export type RemoteKeys = { seal: Buffer; repo: Buffer; member: Buffer };

export const KEY_BYTES = 32;
/** Crockford's: no I, L, O or U, so that a key survives being read aloud. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUP = 4;
const CHECK_BYTES = 3;

export function remoteKeys(key: Buffer): RemoteKeys {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', key, 'keepsake remote 1', purpose, 32));
  return { seal: derived('seal'), repo: derived('repo'), member: derived('member') };
}

/** What a repository is called in a store: devices meet by it, and the store learns no name. */
export function repoTag(keys: RemoteKeys, identity: string): string {
  return createHmac('sha256', keys.repo).update(identity).digest('hex').slice(0, ID_LENGTH);
}

/** Proves that a device has the key, without showing the key. */
export function memberProof(keys: RemoteKeys, publicKey: string): string {
  const known = proofs.of(keys, () => new BoundedCache<string, string>(64));
  return (
    known.get(publicKey) ??
    known.set(publicKey, createHmac('sha256', keys.member).update(publicKey).digest('hex'))
  );
}

/** Every segment is asked for its device's. */
const proofs = new PerOwner<RemoteKeys, BoundedCache<string, string>>();

/** The key as a person copies it: groups of four, with a check. */
export function keyText(key: Buffer): string {
  const check = createHash('sha256').update(key).digest().subarray(0, CHECK_BYTES);
  let [bits, value, text] = [0, 0, ''];
  for (const byte of Buffer.concat([key, check])) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += SIGNS[(value >> bits) & 31];
      value &= (1 << bits) - 1;
    }
  }
  if (bits > 0) text += SIGNS[(value << (5 - bits)) & 31];
  return text.match(new RegExp(`.{1,${GROUP}}`, 'g'))!.join('-');
}

/** Undefined if it was copied wrongly. */
export function parseKeyText(text: string): Buffer | undefined {
  const signs = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const sign of signs) {
    const digit = SIGNS.indexOf(sign);
    if (digit === -1) return undefined;
    value = (value << 5) | digit;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 255);
    value &= (1 << bits) - 1;
  }
  const key = Buffer.from(bytes.slice(0, KEY_BYTES));
  return bytes.length === KEY_BYTES + CHECK_BYTES && keyText(key).replaceAll('-', '') === signs
    ? key
    : undefined;
}
