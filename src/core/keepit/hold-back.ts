import { shortHash } from '../model/ids.ts';
import { addSentences, hasSentence, type SeenSentences } from './seen-sentences.ts';

/**
 * What tool results said: all their sentences as bits, and around the word "keepit" every run of words as hashes, at
 * most 4,000. Plain JSON of bounded size. Once `full`, every later assistant marker is held back, and the more was seen,
 * the more is held by mistake: too careful is safe, forgetting is not.
 */
export type HoldBackState = { sentences: SeenSentences; grams: string[]; full: boolean };

/** A page that wants to be remembered need not repeat itself word for word, but five words in a row are no accident. */
const GRAM = 5;
/** Words before and after each mention; what stands further off in a long file has nothing to do with it. */
const BEFORE = 60;
const AFTER = 300;
const MOST_GRAMS = 4_000;
const HASH_LENGTH = 12;

export function newHoldBackState(): HoldBackState {
  return { sentences: [], grams: [], full: false };
}

/** Called with every tool result of the conversation, in order. */
export function noteToolResult(state: HoldBackState, text: string): void {
  addSentences(state.sentences, text);
  if (state.full || !/keepit/i.test(text)) return;
  const grams = new Set(state.grams);
  for (const stretch of stretches(wordsOf(text))) {
    for (const gram of gramsOf(stretch.words)) grams.add(shortHash(gram, HASH_LENGTH));
    for (const opening of stretch.openings) grams.add(shortHash(opening, HASH_LENGTH));
    if (grams.size > MOST_GRAMS) break;
  }
  state.full = grams.size > MOST_GRAMS;
  state.grams = state.full ? [] : [...grams];
}

/**
 * Whether an assistant's marker repeats what a tool result showed: a whole sentence or line of it; where the result
 * spoke of keepits, any five words in a row, or a shorter text as it began there. A paraphrase is not seen.
 */
export function isHeldBack(state: HoldBackState, content: string): boolean {
  if (state.full || hasSentence(state.sentences, content)) return true;
  if (state.grams.length === 0) return false;
  const known = new Set(state.grams);
  const words = wordsOf(content);
  const grams = words.length < GRAM ? [words.join(' ')] : gramsOf(words);
  for (const gram of grams) if (known.has(shortHash(gram, HASH_LENGTH))) return true;
  return false;
}

/** Lower case, without marks: a repeated text may come with other quotes, bullets and line breaks. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function* gramsOf(words: string[]): Generator<string> {
  for (let i = 0; i + GRAM <= words.length; i++) yield words.slice(i, i + GRAM).join(' ');
}

type Stretch = { words: string[]; openings: string[] };

/** The words around each mention, overlapping ones joined, with the beginnings (one to four words) after each. */
function* stretches(words: string[]): Generator<Stretch> {
  let from = -1;
  let to = -1;
  let openings: string[] = [];
  for (let i = 0; i < words.length; i++) {
    if (!words[i]!.includes('keepit')) continue;
    if (from < 0 || i - BEFORE > to) {
      if (from >= 0) yield { words: words.slice(from, to), openings };
      from = Math.max(0, i - BEFORE);
      openings = [];
    }
    to = Math.min(words.length, i + AFTER);
    openings.push(...beginnings(words, i + 1));
  }
  if (from >= 0) yield { words: words.slice(from, to), openings };
}

/** After "keepit1.00" stands the "00" of its weight, which is no word of the content. */
function beginnings(words: string[], at: number): string[] {
  const start = /^\d\d$/.test(words[at] ?? '') ? at + 1 : at;
  return Array.from({ length: GRAM - 1 }, (_, i) => words.slice(start, start + i + 1).join(' '));
}
