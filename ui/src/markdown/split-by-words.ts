import type { Leaf } from './nodes.ts';

/** A piece of text cut around every place where the words are, in any case. Joined, the pieces are the text again. */
export function splitByWords({ text, at }: Leaf, words: string): (Leaf & { found: boolean })[] {
  const wanted = words.toLowerCase();
  const lower = text.toLowerCase();
  // Some letters change their length with their case: their places would not be those of the text.
  if (wanted === '' || lower.length !== text.length) return [{ text, at, found: false }];
  const pieces: (Leaf & { found: boolean })[] = [];
  const add = (from: number, to: number, found: boolean) => {
    if (to > from) pieces.push({ text: text.slice(from, to), at: at + from, found });
  };
  let from = 0;
  for (let hit = lower.indexOf(wanted); hit >= 0; hit = lower.indexOf(wanted, from)) {
    add(from, hit, false);
    add(hit, hit + wanted.length, true);
    from = hit + wanted.length;
  }
  add(from, text.length, false);
  return pieces;
}
