import { sameWords } from '../../text/plain-text.ts';
import type { Segment } from '../read/segments.ts';

/** The number of words in a row that make a quotation. */
const ROW = 8;
/** The number of segments to look back. */
const REACH = 6;
const QUOTING =
  /^[^\p{L}\p{N}]*(?:you (?:wrote|said|mentioned|suggested)|thinking about ["“]|regarding ["“]|re:? ["“])/iu;

/** Whether words of the user repeat what was written shortly before: a quotation, and no statement. */
export function echoesIn(segments: Segment[]): (text: string, segment: number) => boolean {
  const numbers = new Map<string, number>();
  const known: number[][][] = [];
  /** By word, the last call in which a row began with it. */
  const begins: number[] = [];
  let call = 0;
  const textsOf = (index: number): number[][] => {
    const { said, replies } = segments[index]!;
    known[index] ??= [...said, ...replies].map((one) => wordNumbers(one.text, numbers));
    return known[index];
  };
  return (text, segment) => {
    if (QUOTING.test(text)) return true;
    const words = wordNumbers(text, numbers);
    if (words.length < ROW) return false;
    call++;
    for (let at = 0; at + ROW <= words.length; at++) begins[words[at]!] = call;
    const begin = (number: number) => begins[number] === call;
    for (let index = Math.max(0, segment - REACH); index < segment; index++)
      if (textsOf(index).some((other) => sharesRow(other, words, begin))) return true;
    return false;
  };
}

/** Whether this many consecutive words of one are also consecutive in the other. `begins`: whether a sequence of the other begins so. */
function sharesRow(text: number[], words: number[], begins: (word: number) => boolean): boolean {
  for (let at = 0; at + ROW <= text.length; at++) {
    if (!begins(text[at]!)) continue;
    for (let own = 0; own + ROW <= words.length; own++) {
      let length = 0;
      while (length < ROW && words[own + length] === text[at + length]) length++;
      if (length === ROW) return true;
    }
  }
  return false;
}

/** Each word by a number: they are compared again and again. */
function wordNumbers(text: string, numbers: Map<string, number>): number[] {
  const words = sameWords(text);
  if (words === '') return [];
  return words.split(' ').map((word) => {
    const number = numbers.get(word) ?? numbers.size;
    if (number === numbers.size) numbers.set(word, number);
    return number;
  });
}
