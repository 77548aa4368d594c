/** Tokens of a block: only the blocks that a text asks for are read. */
const BLOCK = 64;
/** Look-ups after which all of them are: who asks so often reads a whole archive. */
const MANY = 50_000;
/** A length as a character, the shortest as one that needs no escape. */
const FIRST_LENGTH = 35;
const MOST_RANKS = 2 ** 16;

/** Tokens in the order of their code units, in one text; the lengths of each; where each block begins; the ranks, 16 bits each. */
export type PackedRanks = { text: string; lengths: string; starts: number[]; ranks: string };

/** Made when the program is built: to read a list of tokens takes longer than to count a text of some pages. */
export function packRanks(numbers: Record<string, number>): PackedRanks {
  const tokens = Object.keys(numbers).sort(byUnits);
  const ranks = tokens.map((token) => numbers[token]!);
  if (!ranks.every((rank) => Number.isInteger(rank) && rank >= 0 && rank < MOST_RANKS))
    throw new Error('A rank takes more than 16 bits.');
  const lengths = tokens.map((token) => String.fromCharCode(FIRST_LENGTH + token.length)).join('');
  const starts: number[] = [];
  let at = 0;
  for (const [index, token] of tokens.entries()) {
    if (index % BLOCK === 0) starts.push(at);
    at += token.length;
  }
  const bytes = Buffer.alloc(2 * ranks.length);
  for (const [index, rank] of ranks.entries()) bytes.writeUInt16LE(rank, 2 * index);
  return { text: tokens.join(''), lengths, starts, ranks: bytes.toString('base64') };
}

/** The ranks by their tokens, as an object has them. */
export function unpackRanks({ text, lengths, starts, ranks }: PackedRanks): Record<string, number> {
  const bytes = Buffer.from(ranks, 'base64');
  const blocks: (Map<string, number> | undefined)[] = [];
  const all = new Map<string, number>();
  let asked = 0;

  const read = (block: number, into: Map<string, number>) => {
    let at = starts[block]!;
    const end = Math.min(lengths.length, (block + 1) * BLOCK);
    for (let index = block * BLOCK; index < end; index++) {
      const length = lengths.charCodeAt(index) - FIRST_LENGTH;
      into.set(text.slice(at, at + length), bytes.readUInt16LE(2 * index));
      at += length;
    }
    return into;
  };

  /** The last block that begins with this token or one before it. */
  const blockOf = (token: string): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const start = starts[middle]!;
      const first = text.slice(start, start + lengths.charCodeAt(middle * BLOCK) - FIRST_LENGTH);
      if (first <= token) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  const rankOf = (token: string): number | undefined => {
    if (all.size > 0) return all.get(token);
    if (asked++ === MANY) {
      for (const block of starts.keys()) read(block, all);
      return all.get(token);
    }
    const block = blockOf(token);
    blocks[block] ??= read(block, new Map());
    return blocks[block].get(token);
  };

  return new Proxy({} as Record<string, number>, {
    get: (object, token) =>
      (typeof token === 'string' ? rankOf(token) : undefined) ?? Reflect.get(object, token),
  });
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
