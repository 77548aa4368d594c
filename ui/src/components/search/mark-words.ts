export type MarkedPiece = { text: string; hit: boolean };

/** Words shorter than this would mark half of a text. */
const SHORTEST = 2;

/** The words of a query that are looked for, without signs and without those that must not be there. */
export function wordsOf(query: string): string[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => !word.startsWith('-'))
    .flatMap((word) => word.split(/[^\p{L}\p{N}_]+/u))
    .filter((word) => word.length >= SHORTEST);
  return [...new Set(words)];
}

/** A text in pieces; those that begin as a word of the query does are hits. Joined, they are the text again. */
export function markWords(text: string, words: readonly string[]): MarkedPiece[] {
  if (words.length === 0) return text === '' ? [] : [{ text, hit: false }];
  const stems = words.map((word) => (word.length > 5 ? word.slice(0, -2) : word));
  const pieces: MarkedPiece[] = [];
  for (const part of text.split(/([\p{L}\p{N}_]+)/u)) {
    if (part === '') continue;
    const lower = part.toLowerCase();
    const hit = stems.some((stem) => lower.startsWith(stem));
    const last = pieces.at(-1);
    if (last && last.hit === hit) last.text += part;
    else pieces.push({ text: part, hit });
  }
  return pieces;
}
