import { AGENT_CUES } from './agent-cues.ts';
import { joined } from './grow.ts';
import { clipped, plainText } from './plain-text.ts';
import { straight } from './segment-units.ts';
import type { Span } from './units.ts';

const PIECE = 300;
const LONGEST = 400;
const SUBJECT = 120;
const MOST_PIECES = 6;
const LIST = /^\s*(?:#+\s+)?(?:[-*+•]|\d{1,2}[.)])?\s*(?:\[[ xX]\]\s+)?/;
const FURNITURE =
  /^\s*(?:Co-Authored-By|🤖|Generated with|Signed-off|[A-Z]\w*(?:-[A-Z]\w*)+:|\|?[\s:|-]+\|?\s*$|```)/i;
const REASONED = /\b(?:because|instead|fix|so that|no longer|otherwise|previously|now)\b/i;

/** A part of a text that was written to be read later, behind its first line. */
export type TextPiece = { text: string; spans: Span[]; features: Set<string>; place: number };

/** A commit message, a note or a plan in pieces of some lines; what it only guesses is left out. */
export function piecesOf(whole: string, body: Span): TextPiece[] {
  const [subject, ...rest] = linesIn(whole, body);
  if (!subject) return [];
  const pieces: Span[][] = [];
  let length = 0;
  for (const line of rest) {
    if (pieces.length === 0 || length + line.text.length > PIECE) {
      pieces.push([]);
      length = 0;
    }
    pieces.at(-1)!.push(line);
    length += line.text.length + 2;
  }
  return (pieces.length === 0 ? [[]] : pieces.slice(0, MOST_PIECES)).map((piece, place) => {
    const text = joined(piece.map((line) => line.text));
    const cued = straight(`${subject.text} ${text}`);
    const cues = Object.entries(AGENT_CUES).flatMap(([name, cue]) => (cue.test(cued) ? [name] : []));
    return {
      text: clipped(text === '' ? subject.text : `${clipped(subject.text, SUBJECT)} — ${text}`, LONGEST),
      spans: [subject, ...piece],
      features: new Set([
        ...cues,
        `piece${Math.min(place, 2)}`,
        ...(REASONED.test(text) ? ['reasoned'] : []),
      ]),
      place,
    };
  });
}

function linesIn(whole: string, body: Span): Span[] {
  const found: Span[] = [];
  let start = body.from;
  for (const line of body.text.split(/\n|\\n/)) {
    const words = line.replace(LIST, '').trim();
    const from = whole.indexOf(words, start);
    start += line.length;
    if (words === '' || from === -1 || FURNITURE.test(line) || AGENT_CUES.guesses.test(straight(words)))
      continue;
    found.push({ from, to: from + words.length, text: plainText(words.replace(/\\(["\\$`])/g, '$1')) });
  }
  return found;
}
