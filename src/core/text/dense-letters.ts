import { once } from './once.ts';
import { hasPlainWords } from './plain-words.ts';

const dense = once(() => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu);

/** How many letters of a text are of a script that says with one what others say with half a word. */
export function denseLetters(text: string): number {
  return hasPlainWords(text) ? 0 : (text.match(dense())?.length ?? 0);
}
