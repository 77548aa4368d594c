import { BoundedCache } from '../text/bounded-cache.ts';
import { type TermStarts, type TermsBeginning, termsBeginning, termsOf } from '../text/terms.ts';
import { sentencePieces } from './sentence-pieces.ts';

/** A sentence, and its terms once someone needs all of them. */
export class KnownSentence {
  readonly text: string;
  #terms: readonly string[] | undefined;
  #distinct: ReadonlySet<string> | undefined;
  #isAskedBefore = false;

  constructor(text: string) {
    this.text = text;
  }

  get terms(): readonly string[] {
    this.#terms ??= termsOf(this.text);
    return this.#terms;
  }

  /** Its terms, each once. */
  get distinct(): ReadonlySet<string> {
    this.#distinct ??= new Set(this.terms);
    return this.#distinct;
  }

  /** For callers that need a few: all if they were computed before, otherwise those of `termsBeginning`. */
  termsFor(starts: TermStarts): TermsBeginning {
    if (this.#terms || this.#isAskedBefore) return { length: this.terms.length, found: this.terms };
    this.#isAskedBefore = true;
    return termsBeginning(this.text, starts);
  }
}

/** Longer texts are taken apart each time: a few of them would be all that is kept. */
const LONGEST_KEPT = 10_000;

/** A server answers many questions about the same sessions. */
const kept = new BoundedCache<string, readonly KnownSentence[]>(2000);

/** The sentences of a text; those of texts that were asked for lately are known with their terms. */
export function knownSentences(text: string): readonly KnownSentence[] {
  const before = kept.get(text);
  if (before) return before;
  const sentences = sentencePieces(text).map((piece) => new KnownSentence(piece));
  if (text.length <= LONGEST_KEPT) kept.set(text, sentences);
  return sentences;
}
