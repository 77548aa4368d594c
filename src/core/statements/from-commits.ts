import { commitMessages } from '../text/commit-messages.ts';
import { type Candidate, quoteOf } from './candidate.ts';
import { joined } from './grow.ts';
import { clipped, plainText } from './plain-text.ts';
import { type Call, isCommit, type Segment } from './segments.ts';
import type { Span } from './units.ts';

const PIECE = 210;
const LONGEST = 320;
const SHORTEST = 30;
const MOST_PIECES = 3;
const LIST = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/;
const FURNITURE = /^\s*(?:#|Co-Authored-By|🤖|Generated with|Signed-off|[A-Z]\w*(?:-[A-Z]\w*)+:)/i;
const REASONED = /\b(?:because|instead|fix|so that|no longer|otherwise|previously|now)\b/i;

/** What commits and pull requests say of themselves, in pieces. */
export function fromCommits(segment: Segment): Candidate[] {
  return segment.calls.filter(isCommit).flatMap((call) => {
    const command = call.line.target ?? '';
    return commitMessages(command).flatMap((message) => {
      const body = `${message.subject}\n${message.body}`;
      return body.trim().length < SHORTEST ? [] : fromMessage(segment, call, body);
    });
  });
}

function fromMessage(segment: Segment, call: Call, body: string): Candidate[] {
  const command = call.line.target ?? '';
  const lines = body
    .split('\n')
    .filter((line) => line.trim() !== '' && !FURNITURE.test(line))
    .flatMap((line): Span[] => {
      const words = line.replace(LIST, '').trim();
      const from = command.indexOf(words);
      return from === -1 ? [] : [{ from, to: from + words.length, text: plainText(words) }];
    });
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
    const text = joined(piece.map((line) => line.text));
    return {
      foundBy: 'commit',
      author: 'assistant',
      kind: 'decision',
      segment: segment.index,
      ts: call.line.ts,
      features: new Set(place === 0 ? ['firstPiece'] : []),
      outcomeFeatures: new Set(),
      score: 0.6 - 0.5 * place + (REASONED.test(text) ? 0.5 : 0),
      label: 'Commit: ',
      words: {
        text: clipped(text === '' ? subject.text : `${subject.text} — ${text}`, LONGEST),
        quotes: [subject, ...piece].map((line) => quoteOf(call, 'target', line)),
      },
      overturned: [],
    };
  });
}
