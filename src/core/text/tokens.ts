/** Every record that holds a figure names the counter that made it. */
export const TOKEN_COUNTER = 'ai-tokenizer-claude*1.13';

/** Counts synchronously once it is loaded. */
export type TokenCounter = (text: string) => number;

/** The public encoding is older than the models in use and finds too few tokens; bench/tokens.ts measures the rest. */
const FACTOR = 1.13;
/** Merging a run is quadratic in its length: longer ones are cut, which adds at most one token a cut. */
const LONGEST_RUN = 256;
/** Distinct words repeat a lot; beyond this many the memory of their counts starts afresh. */
const REMEMBERED = 50_000;
/** A short slice is copied by the engine; a longer one would keep the whole text it was cut from in memory. */
const LONGEST_REMEMBERED = 12;

let loaded: Promise<TokenCounter> | undefined;

/** The encoding is 2 MB of code, so it is loaded on first use and never by commands that count nothing. */
export function loadTokenCounter(): Promise<TokenCounter> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<TokenCounter> {
  const [{ Tokenizer }, encoding] = await Promise.all([
    import('ai-tokenizer'),
    import('ai-tokenizer/encoding/claude'),
  ]);
  // No cache of its own: it would hold slices of every text; the one below is bounded.
  const tokenizer = new Tokenizer(encoding, {}, 0);
  const pieces = new RegExp(encoding.pat_str, 'gu');
  const known = new Map<string, number>();

  const countPiece = (piece: string): number => {
    const found = known.get(piece);
    if (found !== undefined) return found;
    let tokens = 0;
    // 'all' makes "<EOT>" and its like plain text; anything else throws on them.
    for (const part of cut(piece)) tokens += tokenizer.encode(part, 'all').length;
    if (piece.length <= LONGEST_REMEMBERED) {
      if (known.size >= REMEMBERED) known.clear();
      known.set(piece, tokens);
    }
    return tokens;
  };

  return (text) => {
    let tokens = 0;
    for (const [piece] of text.matchAll(pieces)) tokens += countPiece(piece);
    return Math.ceil(FACTOR * tokens);
  };
}

function* cut(piece: string): Generator<string> {
  let from = 0;
  while (piece.length - from > LONGEST_RUN) {
    let to = from + LONGEST_RUN;
    // Half a surrogate pair would count as a replacement character.
    const unit = piece.charCodeAt(to - 1);
    if (unit >= 0xd800 && unit < 0xdc00) to -= 1;
    yield piece.slice(from, to);
    from = to;
  }
  yield from === 0 ? piece : piece.slice(from);
}

/** A fast estimate for places that show a figure but do not record it. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 3.4);
}
