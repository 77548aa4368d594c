import { bytesOf, type RankOf } from './token-ranks.ts';

/** As a decoder of UTF-8 leaves it out. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf';
const PLAIN = /^[\0-\x7f]*$/;
/** No token, and merged last of all. */
const NONE = 2 ** 32;

/** `strings`: of tokens that are whole characters; `binaries`: of all others. */
export type TokenRanks = { strings: RankOf; binaries: RankOf };

/** Tokens of one piece of a text: itself, or its bytes merged pair by pair, the lowest rank first. */
export function tokensOfPiece(piece: string, ranks: TokenRanks): number {
  const isPlain = PLAIN.test(piece);
  const bytes = isPlain ? piece : bytesOf(piece);
  // The names that every object has count as tokens of the encoding, which is an object.
  if (ranks.strings(bytes) >= 0 || piece in Object.prototype) return 1;
  const rankOf = isPlain ? plainRank(ranks) : anyRank(ranks);
  const starts = Array.from({ length: bytes.length + 1 }, (_, at) => at);
  const pairs = starts.map((at) => (at + 2 <= bytes.length ? rankOf(bytes.slice(at, at + 2)) : NONE));
  const pairAt = (at: number) =>
    at + 2 < starts.length ? rankOf(bytes.slice(starts[at], starts[at + 2])) : NONE;
  for (let at = lowest(pairs); at >= 0; at = lowest(pairs)) {
    starts.splice(at + 1, 1);
    pairs.splice(at, 1);
    pairs[at] = pairAt(at);
    if (at > 0) pairs[at - 1] = pairAt(at - 1);
  }
  let tokens = 0;
  for (let at = 1; at < starts.length; at++)
    if (rankOf(bytes.slice(starts[at - 1], starts[at])) !== NONE) tokens++;
  return tokens;
}

/** Of the first of the lowest; -1 where nothing can be merged. */
function lowest(pairs: number[]): number {
  let [least, found] = [NONE, -1];
  for (let at = 0; at < pairs.length; at++) {
    if (pairs[at]! >= least) continue;
    least = pairs[at]!;
    found = at;
  }
  return found;
}

function plainRank({ strings }: TokenRanks): RankOf {
  return (bytes) => {
    const rank = strings(bytes);
    return rank < 0 ? NONE : rank;
  };
}

function anyRank({ strings, binaries }: TokenRanks): RankOf {
  return (bytes) => {
    const rank = strings(bytes.startsWith(BYTE_ORDER_MARK) ? bytes.slice(3) : bytes);
    const any = rank < 0 ? binaries(bytes) : rank;
    return any < 0 ? NONE : any;
  };
}
