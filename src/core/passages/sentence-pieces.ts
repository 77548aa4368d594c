import { once } from '../text/once.ts';
import { hasPlainWords } from '../text/plain-words.ts';

/** Ends of sentences before a capital, a digit or a mark; ends of lines. */
const anyEnds = once(() => /(?<=[.!?])["')\]]*[^\S\n]+(?=[\p{Lu}\p{Lo}\p{N}`*"'([])|(?<=[。！？])|\n/gu);
const PLAIN_ENDS = /(?<=[.!?])["')\]]*[^\S\n]+(?=[A-Z0-9`*"'([])|\n/g;
const FENCE = /(```[\s\S]*?(?:```|$))/;
/** The beginning of a code block shows what it is. */
const LONGEST_CODE = 400;
const LONGEST_SENTENCE = 4000;

/** Sentences, list items and rows of tables as they were written, in order; a block of code is one piece. */
export function sentencePieces(text: string): string[] {
  const pieces: string[] = [];
  for (const part of text.split(FENCE)) {
    if (part.startsWith('```')) push(part.slice(0, LONGEST_CODE).toWellFormed(), pieces);
    else
      for (const sentence of part.split(hasPlainWords(part) ? PLAIN_ENDS : anyEnds()))
        push(sentence.slice(0, LONGEST_SENTENCE), pieces);
  }
  return pieces;
}

function push(text: string, pieces: string[]): void {
  const piece = text.trim();
  if (/[A-Za-z0-9]/.test(piece) || (!hasPlainWords(piece) && /[\p{L}\p{N}]/u.test(piece))) pieces.push(piece);
}
