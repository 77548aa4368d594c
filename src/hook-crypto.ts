import type { Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { platformOf } from './core/model/platform.ts';

// Stands in for node:crypto in the hooks' build: loading that takes as long as a whole hook may, and most need only the
// hash of a few words. Longer texts go to the real one.

const SHORT = 65_536;
/** Of 64 bytes: to load the real one takes as long as so many take here. */
const FEW_BLOCKS = 400;
let real: typeof import('node:crypto') | undefined;

function loadReal(): typeof import('node:crypto') {
  // Not `require('node:crypto')`: the build would put this file in its place.
  real ??= process.getBuiltinModule('node:crypto');
  return real;
}

/** As node:crypto has it, for sha256. */
export function createHash(algorithm: string): Hash {
  // Loaded already, it is sooner done.
  if (real) return real.createHash(algorithm);
  const parts: Buffer[] = [];
  let length = 0;
  let whole: Hash | undefined;
  const hash = {
    update(data: string | Uint8Array): unknown {
      const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data);
      length += bytes.length;
      if (whole) whole.update(bytes);
      else parts.push(bytes);
      if (!whole && (length > SHORT || algorithm !== 'sha256')) {
        whole = loadReal().createHash(algorithm);
        for (const part of parts.splice(0)) whole.update(part);
      }
      return hash;
    },
    digest(encoding?: 'hex'): string | Buffer {
      const bytes = whole ? whole.digest() : shortSha256(Buffer.concat(parts));
      return encoding === undefined ? bytes : bytes.toString(encoding);
    },
  };
  return hash as unknown as Hash;
}

/** From the system itself, which costs a hook three calls; where it has no such file, from the real one. */
export function randomBytes(size: number): Buffer {
  return (real ? undefined : systemBytes(size)) ?? loadReal().randomBytes(size);
}

function systemBytes(size: number): Buffer | undefined {
  const { randomFile } = platformOf(process.platform);
  if (randomFile === undefined) return undefined;
  let file: number | undefined;
  try {
    file = openSync(randomFile, 'r');
    const bytes = Buffer.alloc(size);
    return readSync(file, bytes) === size ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** No hook makes one today. */
export function randomUUID(): string {
  return loadReal().randomUUID();
}

const K = Uint32Array.from(primes(64), (prime) => fraction(prime, 3));
const START = primes(8).map((prime) => fraction(prime, 2));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let divisor = 2;
    while (divisor * divisor <= n && n % divisor !== 0) divisor++;
    if (divisor * divisor > n) found.push(n);
  }
  return found;
}

/** The first 32 bits after the point of a root. */
function fraction(prime: number, root: 2 | 3): number {
  const value = root === 2 ? Math.sqrt(prime) : Math.cbrt(prime);
  return ((value - Math.floor(value)) * 2 ** 32) >>> 0;
}

let blocks = 0;

/** FIPS 180-4, of at most 65,536 bytes. */
function shortSha256(text: Uint8Array): Buffer {
  blocks += (text.length + 72) >> 6;
  return blocks > FEW_BLOCKS ? loadReal().createHash('sha256').update(text).digest() : plainSha256(text);
}

/** By hand: what it does is checked against the real one. */
export function plainSha256(text: Uint8Array): Buffer {
  const size = ((text.length + 72) >> 6) << 6;
  const block = Buffer.alloc(size);
  block.set(text);
  block[text.length] = 0x80;
  block.writeUInt32BE(text.length * 8, size - 4);
  const state = [...START];
  const w = new Int32Array(64);
  for (let from = 0; from < size; from += 64) {
    // Not `readInt32BE`: what runs once runs uncompiled, and a call each costs more than the hash.
    for (let i = 0, at = from; i < 16; i++, at += 4)
      w[i] = (block[at]! << 24) | (block[at + 1]! << 16) | (block[at + 2]! << 8) | block[at + 3]!;
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15]!;
      const b = w[i - 2]!;
      const low = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3);
      const high = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10);
      w[i] = (w[i - 16]! + low + w[i - 7]! + high) | 0;
    }
    mix(state, w);
  }
  const out = Buffer.alloc(32);
  for (const [i, word] of state.entries()) out.writeInt32BE(word | 0, 4 * i);
  return out;
}

function mix(state: number[], w: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const turned = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + turned + choice + K[i]! + w[i]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const spun = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (spun + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i]! + word) | 0;
}
