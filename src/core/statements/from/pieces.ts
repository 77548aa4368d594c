import { denseLetters } from '../../text/dense-letters.ts';
import { clipped, plainText } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import { AGENT_CUES } from '../read/agent-cues.ts';
import type { Span } from '../read/units.ts';
import { joined } from './grow.ts';

const PIECE = 640;
const LONGEST = 780;
const SUBJECT = 120;
const MOST_PIECES = 6;
const LIST = /^\s*(?:#+\s+)?(?:[-*+•]|\d{1,2}[.)])?\s*(?:\[[ xX]\]\s+)?/;
const FURNITURE =
  /^\s*(?:Co-Authored-By|🤖|Generated with|Signed-off|\|?[\s:|-]+\|?\s*$|```|<!--|>|\W*this (?:pr|pull request|comment|issue|commit|message) was (?:generated|written|created)\b)/i;
/** A trailer of a commit; a word with a hyphen in the middle of a sentence is none. */
const TRAILER = /^\s*[A-Z]\w*(?:-[A-Z]\w*)+:/;
/** Over what was run to try it, and over what a form asks for: nobody needs that later. */
const TRIED =
  /^\s*(?:#+\s*|\*\*)?(?:popularity|check ?list|screenshots?|type of change|related (?:issues?|prs?)|test(?:s|ing|ed)?(?: plan| performed| with| results?)?|verification|verified(?: with| by)?|validation|validated(?: with| by)?|checks?(?: run)?|how to test)\**:?\**\s*$/i;
const TITLE = /^\s*(?:#+\s|\*\*[^*]+\*\*:?\s*$)|^[^-*+•\s][^.]{0,60}:\s*$/;
const HEADING = /^\s*(?:#+\s+\S.{0,50}|\*\*[^*]{2,50}\*\*)\s*$/;
/** A line that begins a new item, by its bullet or number. */
const ITEM = /^\s*(?:#+\s|[-*+•]\s|\d{1,2}[.)]\s)/;
/** A line of this length was wrapped, and the next continues it. */
const BROKEN = 50;
/** Work on the work: merged, answered, tidied up. */
const CHORE =
  /^[^\p{L}\p{N}]*(?:merged?\b|bump\b|changelog\b|finali[sz]e\b|prepare\b.{0,20}\brelease\b|no longer applicable\b|wip\b|chore\b|style\b|clean(?:ed)?[- ]?up\b|release\b|(?:\w+(?:\([\w-]+\))?: )?address(?:ed|es)?\b.{0,40}\b(?:feedback|comments?|review|findings)|fixed in\b|(?:\w+(?:\([\w-]+\))?: )?(?:update|add|improve|extend|expand)(?:s|d|ed)? (?:\w+ ){0,3}(?:docs?|documentation|readme|changelog|status|tests?|specs?|coverage)\b|tests?(?:\([\w-]+\))?:|docs?(?:\([\w-]+\))?:|thanks|validated|resolved|confirmed)/iu;
/** Answers remarks of a review, one by one. */
const FEEDBACK =
  /^[^\p{L}\p{N}]*(?:\w+(?:\([\w-]+\))?: )?(?:address(?:ed|es)?|apply|applied|incorporate)\b.{0,40}\b(?:feedback|comments?|review|findings|nits?|suggestions?)\b/iu;
const CHOSEN =
  /\b(?:because|instead of|so that|otherwise|no longer|to (?:avoid|match|prevent|keep)|rather than)\b/i;
const REASONED = /\b(?:because|instead|fix|so that|no longer|otherwise|previously|now)\b/i;

/** A part of a text that was written to be read later, behind its first line. */
export type TextPiece = { text: string; spans: Span[]; features: Set<string>; place: number };

/** A commit message, a note or a plan in pieces of some lines; what it only guesses is left out. */
export function piecesOf(whole: string, body: Span): TextPiece[] {
  const lines = linesIn(whole, body);
  while (lines.length > 1 && isTitle(lines[0]!.text)) lines.shift();
  const [subject, ...rest] = lines;
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
    while (piece.length > 1 && isTitle(piece.at(-1)!.text)) piece.pop();
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
        ...(isChore(straight(subject.text), text) ? ['chore'] : []),
      ]),
      place,
    };
  });
}

function isChore(subject: string, text: string): boolean {
  return FEEDBACK.test(subject) || (CHORE.test(subject) && !CHOSEN.test(text));
}

/** Where words are not set apart by spaces, a title is shorter than this. */
const DENSE_TITLE = 10;
/** The kind of change before it: no title begins so. */
const PREFIXED = /^\w+(?:\([\w-]+\))?!?: /;

/** Says only what comes next: `Changes:`, `Motivation`. */
function isTitle(text: string): boolean {
  const fewest = PREFIXED.test(text) ? 1 : DENSE_TITLE;
  return /[:：]$/.test(text) || (!/\s\S+\s/.test(text) && denseLetters(text) < fewest);
}

/** The lines of a text as they were meant: what was broken for its length is one again. */
function linesIn(whole: string, body: Span): Span[] {
  const found: Span[] = [];
  let start = body.from;
  let before = '';
  let isOpen = false;
  let isTried = false;
  for (const line of body.text.split(/\n|\\n/)) {
    const words = line.replace(LIST, '').trim();
    const from = whole.indexOf(words, start);
    start += line.length;
    const goesOn = isOpen && before.length >= BROKEN && !/[.!?:;]$/.test(before) && !ITEM.test(line);
    before = words;
    isOpen = false;
    if (TRIED.test(line) || TITLE.test(line)) isTried = TRIED.test(line);
    if (words === '' || from === -1 || isTried || FURNITURE.test(line) || TRAILER.test(line)) continue;
    const plain = plainText(words.replace(/\\(["\\$`])/g, '$1'));
    // A heading in the middle says what the lines below it are.
    const text = found.length > 0 && HEADING.test(line) && !/[:.!?]$/.test(plain) ? `${plain}:` : plain;
    const last = found.at(-1);
    isOpen = true;
    if (goesOn && last && found.length > 1)
      found[found.length - 1] = { from: last.from, to: from + words.length, text: `${last.text} ${text}` };
    else found.push({ from, to: from + words.length, text });
  }
  return found.filter(({ text }) => !AGENT_CUES.guesses.test(straight(text)));
}
