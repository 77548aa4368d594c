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

/** The first 32 bits after the point of the cube roots of the first 64 primes, and of the square roots of the first 8: to find them takes a hook a millisecond. */
const K = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
].map((word) => word | 0);
const START = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

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
  const state = [...START] as HashState;
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
  for (let i = 0, at = 0; i < 8; i++) {
    const word = state[i]!;
    out[at++] = word >>> 24;
    out[at++] = word >>> 16;
    out[at++] = word >>> 8;
    out[at++] = word;
  }
  return out;
}

type HashState = [number, number, number, number, number, number, number, number];

function mix(state: HashState, w: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state;
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
  state[0] = (state[0] + a) | 0;
  state[1] = (state[1] + b) | 0;
  state[2] = (state[2] + c) | 0;
  state[3] = (state[3] + d) | 0;
  state[4] = (state[4] + e) | 0;
  state[5] = (state[5] + f) | 0;
  state[6] = (state[6] + g) | 0;
  state[7] = (state[7] + h) | 0;
}
