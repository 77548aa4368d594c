import type { Planted } from './planted.ts';

const KEY = 10;

/** Finds planted values in texts, even if case-folded or cut at one end. */
export class LeakFinder {
  readonly #keys = new Map<string, number[]>();

  constructor(planted: readonly Planted[]) {
    planted.forEach(({ value }, n) => {
      for (const key of keysOf(value)) this.#keys.set(key, [...(this.#keys.get(key) ?? []), n]);
    });
  }

  /** Adds the indexes of the values that a text contains. */
  find(text: string, into: Set<number>): void {
    const folded = text.toLowerCase();
    for (const run of folded.matchAll(/[a-z0-9]{6,}/g)) {
      const word = run[0];
      if (word.length <= KEY) this.#note(word, into);
      else for (let at = 0; at + KEY <= word.length; at++) this.#note(word.slice(at, at + KEY), into);
    }
  }

  #note(key: string, into: Set<number>): void {
    for (const n of this.#keys.get(key) ?? []) into.add(n);
  }
}

/** Both ends of the longest run of letters and digits: only the start of a value may be left. */
function keysOf(value: string): string[] {
  const runs = value.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const longest = runs.reduce((a, b) => (b.length > a.length ? b : a), '');
  if (longest.length < 6)
    throw new Error(`A planted value has no run of 6 letters or digits: ${value.length} characters`);
  return longest.length <= KEY ? [longest] : [longest.slice(0, KEY), longest.slice(-KEY)];
}
