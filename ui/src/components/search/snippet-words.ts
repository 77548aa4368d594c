import { plainWords } from '../../markdown/plain-words.ts';
import { withoutMarkers } from '../../text/without-markers.ts';

/** In a snippet lines are joined and cut: a heading's signs are in the middle of it, and of a pair of marks there may be one. */
const HEADING_SIGNS = /\s#{2,6}(?=\s)/g;
/** What is left out once is said once. */
const DOTS = /(?:…|\.{3})\s*(?:…|\.{3})+\s*/g;
const LEFT_MARKS = /`{3,}\w*|`{2}|\*\*(?!\/)|\s\|(?=\s|$)/g;

/** The words of a part of a message, to be read in a line or two. */
export function snippetWords(snippet: string): string {
  const words = plainWords(withoutMarkers(snippet).replace(HEADING_SIGNS, ' '));
  return words.replace(LEFT_MARKS, ' ').replace(DOTS, '… ').replace(/ {2,}/g, ' ').trim();
}
