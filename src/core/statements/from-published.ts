import { AGENT_CUES } from './agent-cues.ts';
import { type Candidate, quoteOf } from './candidate.ts';
import { joined } from './grow.ts';
import { clipped, plainText } from './plain-text.ts';
import { publishedTexts } from './published-texts.ts';
import { straight } from './segment-units.ts';
import { type CallLine, isPassed, type Segment } from './segments.ts';
import type { Span } from './units.ts';

const PIECE = 300;
const LONGEST = 400;
const MOST_PIECES = 6;
const LIST = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?/;
const FURNITURE =
  /^\s*(?:Co-Authored-By|🤖|Generated with|Signed-off|[A-Z]\w*(?:-[A-Z]\w*)+:|\|?[\s:|-]+\|?\s*$|```)/i;
const REASONED = /\b(?:because|instead|fix|so that|no longer|otherwise|previously|now)\b/i;

/** What commits, pull requests, issues and notes say, in pieces. */
export function fromPublished(segment: Segment): Candidate[] {
  return segment.calls.flatMap((call) => {
    if (call.line.name !== 'Bash' || !isPassed(call)) return [];
    const texts = publishedTexts(call.line.target ?? '');
    return texts.flatMap(({ kind, text }) => inPieces(segment, call, text, kind === 'commit'));
  });
}

function inPieces(segment: Segment, call: CallLine, body: Span, isCommit: boolean): Candidate[] {
  const lines: Span[] = [];
  let start = body.from;
  for (const line of body.text.split(/\n|\\n/)) {
    const length = line.length;
    const words = line
      .replace(/^#+\s+/, '')
      .replace(LIST, '')
      .trim();
    if (words !== '' && !FURNITURE.test(line) && !AGENT_CUES.guesses.test(straight(words))) {
      const from = (call.line.target ?? '').indexOf(words, start);
      if (from !== -1)
        lines.push({ from, to: from + words.length, text: plainText(words.replace(/\\(["\\$`])/g, '$1')) });
    }
    start += length;
  }
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
  return (pieces.length === 0 ? [[]] : pieces.slice(0, MOST_PIECES)).map((piece, place): Candidate => {
    const text = joined(piece.map((line) => line.text));
    const whole = straight(`${subject.text} ${text}`);
    const cues = Object.entries(AGENT_CUES).flatMap(([name, cue]) => (cue.test(whole) ? [name] : []));
    return {
      foundBy: isCommit ? 'commit' : 'note',
      author: 'assistant',
      kind: 'decision',
      segment: segment.index,
      ts: call.line.ts,
      features: new Set([
        ...cues,
        `piece${Math.min(place, 2)}`,
        ...(REASONED.test(text) ? ['reasoned'] : []),
      ]),
      outcomeFeatures: new Set(),
      score: 0.6 - 0.5 * place + (REASONED.test(text) ? 0.5 : 0),
      label: isCommit ? 'Commit: ' : 'Written down: ',
      words: {
        text: clipped(text === '' ? subject.text : `${clipped(subject.text, 120)} — ${text}`, LONGEST),
        quotes: [subject, ...piece].map((line) => quoteOf(call, 'target', line)),
      },
      overturned: [],
    };
  });
}
