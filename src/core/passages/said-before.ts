import type { PassageSentence } from './passage.ts';

/** Of two sentences that share this much of their terms, one is enough; also if this much of one is in the other. */
const ALIKE = 0.8;
const CONTAINED = 0.9;
/** Sentences of fewer terms are the same only word for word. */
const LEAST_TERMS = 6;

/** Sentences that were chosen: near-duplicates are known as what they repeat. */
export class SaidBefore {
  readonly #exact = new Set<string>();
  readonly #sets: ReadonlySet<string>[] = [];

  has({ known: { terms, distinct: own } }: PassageSentence): boolean {
    if (this.#exact.has(terms.join(' '))) return true;
    return own.size >= LEAST_TERMS && this.#sets.some((other) => isAlike(own, other) || isPart(own, other));
  }

  note({ known: { terms, distinct: own } }: PassageSentence): void {
    this.#exact.add(terms.join(' '));
    if (own.size >= LEAST_TERMS) this.#sets.push(own);
  }
}

function isPart(own: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (own.size > other.size) return false;
  let shared = 0;
  for (const term of own) if (other.has(term)) shared++;
  return shared >= CONTAINED * own.size;
}

function isAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  if (small.size < ALIKE * large.size) return false;
  let shared = 0;
  for (const term of small) if (large.has(term)) shared++;
  return shared >= ALIKE * (small.size + large.size - shared);
}

/** Whether words hold a whole sentence. */
export function isRepeated({ known: { distinct } }: PassageSentence, words: ReadonlySet<string>): boolean {
  return distinct.size >= LEAST_TERMS && isPart(distinct, words);
}
