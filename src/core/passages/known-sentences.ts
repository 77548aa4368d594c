import { termsOf } from '../text/terms.ts';
import type { PassageSentence } from './passage.ts';
import { sentencePieces } from './sentence-pieces.ts';

type Sentence = Pick<PassageSentence, 'text' | 'terms'>;

/** UTF-16 units of texts whose sentences are kept: a server answers many questions about the same sessions. */
const MOST_KEPT = 2_000_000;

const kept = new Map<string, readonly Sentence[]>();
let size = 0;

/** The sentences of a text with their terms; of texts that were asked for lately they are known. */
export function knownSentences(text: string): readonly Sentence[] {
  const before = kept.get(text);
  if (before) return before;
  const sentences = sentencePieces(text).map((piece) => ({ text: piece, terms: termsOf(piece) }));
  kept.set(text, sentences);
  size += text.length;
  for (const oldest of kept.keys()) {
    if (size <= MOST_KEPT) break;
    kept.delete(oldest);
    size -= oldest.length;
  }
  return sentences;
}
