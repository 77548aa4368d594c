import { BoundedCache } from './bounded-cache.ts';
import { TOKEN_FACTOR } from './estimate-tokens.ts';
import { tokensOfPiece } from './merge-tokens.ts';
import { once } from './once.ts';
import { bytesOf, packRanks, unpackRanks } from './token-ranks.ts';

/** Every record that contains a figure names the counter that made it. */
export const TOKEN_COUNTER = 'ai-tokenizer-claude*1.13';

/** Counts synchronously once it is loaded. */
export type TokenCounter = (text: string) => number;

/** Merging a run is quadratic in its length: longer ones are cut, which adds at most one token a cut. */
const LONGEST_RUN = 256;
/** Words repeat a lot: the counts of this many are cached. */
const REMEMBERED = 100_000;
const LONGEST_REMEMBERED = 48;
const SHORTEST_SLICE = 13;
const PLAIN_TEXT = /^[\0-\x7f]*$/;
/** A long text is split into words a stretch at a time, to hold few of them at once. */
const STRETCH = 32_768;

/** As the package has it: 2 MB of code, half of it for what is not done here. */
export type PlainEncoding = {
  pat_str: string;
  stringEncoder: Record<string, number>;
  binaryEncoder: [bytes: Uint8Array, rank: number][];
};
/** As the build stores it instead. */
type PackedEncoding = { strings: Uint8Array; binaries: Uint8Array };

export function packEncoding({
  stringEncoder,
  binaryEncoder,
}: Omit<PlainEncoding, 'pat_str'>): PackedEncoding {
  const strings = Object.entries(stringEncoder);
  return {
    strings: packRanks(strings.map(([token, rank]) => [bytesOf(token), rank])),
    binaries: packRanks(binaryEncoder.map(([bytes, rank]) => [Buffer.from(bytes).toString('latin1'), rank])),
  };
}

/** The encoding is large, so it is loaded on first use and never by commands that count nothing. */
export const loadTokenCounter = once(load);

async function load(): Promise<TokenCounter> {
  const encoding: PlainEncoding & Partial<PackedEncoding> = await import('ai-tokenizer/encoding/claude');
  const { strings, binaries } = encoding.strings ? (encoding as PackedEncoding) : packEncoding(encoding);
  const ranks = { strings: unpackRanks(strings), binaries: unpackRanks(binaries) };
  const plainPieces = new RegExp(plainPattern(encoding.pat_str), 'g');
  const anyPieces = once(() => new RegExp(encoding.pat_str, 'gu'));
  const known = new BoundedCache<string, number>(REMEMBERED);

  let last = { part: '', tokens: 0 };
  const countPiece = (piece: string): number => {
    const found = known.get(piece);
    if (found !== undefined) return found;
    let tokens = 0;
    for (const part of cut(piece, LONGEST_RUN)) {
      // A run of one character is cut into parts that are the same.
      if (part !== last.part) last = { part, tokens: tokensOfPiece(part, ranks) };
      tokens += last.tokens;
    }
    if (piece.length > LONGEST_REMEMBERED) return tokens;
    return known.set(copy(piece), tokens);
  };

  return (text) => {
    let tokens = 0;
    const pieces = PLAIN_TEXT.test(text) ? plainPieces : anyPieces();
    for (let from = 0; from < text.length; ) {
      const to = endOfStretch(text, from);
      for (const piece of text.slice(from, to).match(pieces) ?? []) tokens += countPiece(piece);
      from = to;
    }
    return Math.ceil(TOKEN_FACTOR * tokens);
  };
}

/** The pattern for texts of plain characters: Unicode's classes take longer to build than a page takes to count. */
export function plainPattern(pattern: string): string {
  return pattern
    .replace('[^\\s\\p{L}\\p{N}]', '[^\\sA-Za-z0-9]')
    .replaceAll('\\p{L}', '[A-Za-z]')
    .replaceAll('\\p{N}', '[0-9]');
}

/** Pieces of the encoding begin at every white space after something else, so a cut there changes no count. */
function endOfStretch(text: string, from: number): number {
  if (text.length - from <= STRETCH) return text.length;
  for (let to = from + STRETCH; to > from + STRETCH / 2; to--) {
    if (isSpace(text.charCodeAt(to)) && !isSpace(text.charCodeAt(to - 1))) return to;
  }
  // Half a stretch without a word's end is no prose; a cut there costs at most a token or two.
  return wholeCharacters(text, from + STRETCH);
}

function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}

function* cut(piece: string, length: number): Generator<string> {
  let from = 0;
  while (piece.length - from > length) {
    const to = wholeCharacters(piece, from + length);
    yield piece.slice(from, to);
    from = to;
  }
  yield from === 0 ? piece : piece.slice(from);
}

/** Half a surrogate pair would count as a replacement character. */
function wholeCharacters(text: string, to: number): number {
  const unit = text.charCodeAt(to - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? to - 1 : to;
}

/** A slice would keep the whole text it was cut from in memory; V8 slices nothing that is shorter. */
function copy(piece: string): string {
  if (piece.length < SHORTEST_SLICE) return piece;
  return Buffer.from(piece, 'utf16le').toString('utf16le');
}
