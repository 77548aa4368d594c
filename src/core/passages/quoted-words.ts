import type { PassageExchange, PassageSentence } from './passage.ts';

/** Shorter words are in many sentences. */
const LEAST_SHARED = 12;

/** Finds what quotes a sentence, or a part of it; most turns are quoted by nothing. */
export function wordsFound<Q extends { src: number; text: string }>(
  { turns }: Pick<PassageExchange, 'turns'>,
  quotes: readonly Q[],
): (sentence: PassageSentence) => Q | undefined {
  const sources = new Set(turns.map(({ src }) => src));
  const near = quotes.flatMap((quote) =>
    sources.has(quote.src) ? [{ quote, words: plain(quote.text) }] : [],
  );
  const quoted = new Set(near.map(({ quote }) => quote.src));
  return ({ turn, text }) => {
    const { src } = turns[turn]!;
    if (!quoted.has(src)) return undefined;
    const own = plain(text);
    return near.find(({ quote, words }) => quote.src === src && (words === '' || overlap(words, own)))?.quote;
  };
}

function overlap(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= LEAST_SHARED && long.includes(short);
}

function plain(text: string): string {
  return text
    .replace(/[\s*`#>-]+/g, ' ')
    .trim()
    .toLowerCase();
}
