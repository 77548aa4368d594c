/** Tokens of a bucket, about. */
const TOGETHER = 4;
const MOST_RANKS = 2 ** 16;

/** The rank of a token by its bytes, a character each; -1 for what is none. */
export type RankOf = (bytes: string) => number;

/** The bytes of a text, a character each. */
export function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/**
 * Ranks by tokens in one piece of memory: to read a list of tokens takes longer than to count a text of some pages. The tokens of a
 * bucket, by the hash of their bytes, are one behind the other.
 */
export function packRanks(tokens: readonly (readonly [bytes: string, rank: number])[]): Uint8Array {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, tokens.length / TOGETHER)));
  const buckets = Array.from({ length: size }, (): (readonly [string, number])[] => []);
  for (const token of tokens) {
    if (!Number.isInteger(token[1]) || token[1] < 0 || token[1] >= MOST_RANKS)
      throw new Error('A rank takes more than 16 bits.');
    buckets[hashOf(token[0]) & (size - 1)]!.push(token);
  }
  const all = buckets.flat();
  const text = all.map(([bytes]) => bytes).join('');
  const { buffer, firsts, starts, lengths, ranks, bytes } = layoutOf([size, all.length, text.length]);
  let [index, at] = [0, 0];
  for (const [bucket, own] of buckets.entries()) {
    firsts[bucket] = index;
    starts[bucket] = at;
    for (const [token, rank] of own) {
      lengths[index] = token.length;
      ranks[index++] = rank;
      at += token.length;
    }
  }
  firsts[size] = index;
  bytes.write(text, 'latin1');
  return new Uint8Array(buffer);
}

export function unpackRanks(packed: Uint8Array): RankOf {
  // Read in words, so a copy where it begins between two of them; `slice` of a Buffer would be none.
  const whole = packed.byteOffset % 4 === 0 ? packed : new Uint8Array(packed);
  const sizes = new Uint32Array(whole.buffer, whole.byteOffset, 3);
  const { firsts, starts, lengths, ranks, bytes } = layoutOf([sizes[0]!, sizes[1]!, sizes[2]!], whole);
  const text = bytes.toString('latin1');
  const last = sizes[0]! - 1;
  return (token) => {
    const bucket = hashOf(token) & last;
    const { length } = token;
    const end = firsts[bucket + 1]!;
    let at = starts[bucket]!;
    for (let index = firsts[bucket]!; index < end; index++) {
      const own = lengths[index]!;
      if (own === length && text.startsWith(token, at)) return ranks[index]!;
      at += own;
    }
    return -1;
  };
}

type PackedSizes = [buckets: number, tokens: number, bytes: number];

/** The sizes; where each bucket begins among the tokens, and in their bytes; lengths; ranks; bytes. */
function layoutOf(sizes: PackedSizes, packed?: Uint8Array) {
  const [buckets, tokens, size] = sizes;
  const places = 12 + 4 * (2 * buckets + 1);
  const { buffer, byteOffset: from } = packed ?? new Uint8Array(places + 4 * tokens + size);
  if (!packed) new Uint32Array(buffer, from, 3).set(sizes);
  return {
    buffer,
    firsts: new Uint32Array(buffer, from + 12, buckets + 1),
    starts: new Uint32Array(buffer, from + 16 + 4 * buckets, buckets),
    lengths: new Uint16Array(buffer, from + places, tokens),
    ranks: new Uint16Array(buffer, from + places + 2 * tokens, tokens),
    bytes: Buffer.from(buffer, from + places + 4 * tokens, size),
  };
}

function hashOf(token: string): number {
  let hash = token.length;
  for (let at = 0; at < token.length; at++) hash = (Math.imul(hash, 31) + token.charCodeAt(at)) | 0;
  return hash ^ (hash >>> 15);
}
