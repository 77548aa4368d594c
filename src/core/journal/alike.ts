import { termsOf } from '../text/terms.ts';

/** What a sentence is about, as terms. */
export function subjectOf(text: string): Set<string> {
  return new Set(termsOf(text));
}

/** Shared terms of all terms. */
export function likeness(a: Set<string>, b: Set<string>): number {
  const shared = sharedBy(a, b);
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** How much of the first is in the second. */
export function coverage(part: Set<string>, whole: Set<string>): number {
  return part.size === 0 ? 0 : sharedBy(part, whole) / part.size;
}

export function sharedBy(a: Set<string>, b: Set<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const term of small) if (large.has(term)) shared++;
  return shared;
}

/** From here on two sentences say the same. */
export const SAME_SENTENCE = 0.6;
