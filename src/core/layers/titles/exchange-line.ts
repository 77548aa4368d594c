import type { L1Line } from '../../model/l1.ts';
import { commitMessages } from '../../text/commit-messages.ts';
import { askOpening } from './ask-opening.ts';
import { closingOutcome } from './closing-sentence.ts';
import { fitTitle } from './fit-title.ts';
import { subjectTitle } from './subject-title.ts';

const ASK = 80;
/** A question wants an answer. */
const ASKS = /[?？]$|^(?:how|what|why|which|where|who|when)\b/i;
const BETWEEN = ' - ';

/** An exchange in one line: what was asked, and what came of it. Empty when neither says anything. */
export function exchangeLine(
  ask: string,
  { lines, closing }: { lines: readonly L1Line[]; closing: string },
  longest: number,
): string {
  const asked = askOpening(ask, ASK)?.text ?? '';
  // A cut text ends in one character more.
  const room = longest - (asked === '' ? 0 : asked.length + BETWEEN.length) - 1;
  const came = outcomeOf(lines, closingOutcome(closing, ASKS.test(asked)), room);
  if (asked === '' || came === '') return asked || came;
  return asked.toLowerCase() === came.toLowerCase() ? asked : `${asked}${BETWEEN}${came}`;
}

/** The last commit, else what the closing message says was done or found. */
function outcomeOf(lines: readonly L1Line[], said: string, room: number): string {
  return fitTitle(subjectsIn(lines).at(-1) ?? said, room).text;
}

/** The subjects of the commits and pull requests that lines make, without those that say nothing. */
export function subjectsIn(lines: readonly L1Line[]): string[] {
  return lines
    .filter((line) => line.role === 'tool' && line.result === undefined)
    .flatMap((line) => commitMessages(line.target ?? ''))
    .flatMap((message) => subjectTitle(message)?.text ?? []);
}
