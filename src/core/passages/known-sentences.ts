import { BoundedCache } from '../text/bounded-cache.ts';
import { termsOf } from '../text/terms.ts';
import type { PassageSentence } from './passage.ts';
import { sentencePieces } from './sentence-pieces.ts';

type Sentence = Pick<PassageSentence, 'text' | 'terms'>;

/** Longer texts are taken apart each time: a few of them would be all that is kept. */
const LONGEST_KEPT = 10_000;

/** A server answers many questions about the same sessions. */
const kept = new BoundedCache<string, readonly Sentence[]>(2000);

/** The sentences of a text with their terms; of texts that were asked for lately they are known. */
export function knownSentences(text: string): readonly Sentence[] {
  const before = kept.get(text);
  if (before) return before;
  const sentences = sentencePieces(text).map((piece) => ({ text: piece, terms: termsOf(piece) }));
  if (text.length <= LONGEST_KEPT) kept.set(text, sentences);
  return sentences;
}
