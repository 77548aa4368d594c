import { parseStoredLine } from './parse-stored.ts';
import { fields, figure, oneOf, type Shape, text } from './shape.ts';

/** One line of a refined transcript (L1). `src` is the byte offset of its line in the original. */
export type L1Line = {
  ts: string;
  role: 'user' | 'assistant' | 'tool' | 'system';
  /** The tool's name, or the speaker of an imported chat. */
  name?: string;
  text?: string;
  /** What a tool worked on: a path relative to the session's cwd, a command, a query. */
  target?: string;
  lines?: string;
  diff?: string;
  /** Only when the result is not ok: the first lines of the error, or `none` for a call that was never answered. */
  result?: string;
  /** Typed while the agent worked. */
  queued?: true;
  /** Said in answer to a tool: why a call was refused, what was chosen. */
  reply?: true;
  /** No text of its own: the queued message at this `src` was sent at this point. */
  sent?: number;
  /** The user went back and asked anew: what was said from this `src` on up to here was abandoned. */
  replaces?: number;
  /** Only imported chats keep their lines' own ids. */
  id?: string;
  src: number;
};

/** The `result` of a call that was never answered. */
export const UNANSWERED = 'none';
const REFUSED = 'refused by the user';

/** The `result` of a call that the user did not allow, with the words they gave. */
export function refusedResult(words?: string): string {
  return words ? `${REFUSED}: ${words}` : REFUSED;
}

/** How a call ended that has a `result`. */
export function endingOf(result: string): 'unanswered' | 'refused' | 'failed' {
  if (result === UNANSWERED) return 'unanswered';
  return result.startsWith(REFUSED) ? 'refused' : 'failed';
}

const yes = oneOf(true);
export const l1LineShape: Shape<L1Line> = fields(
  { ts: text, role: oneOf('user', 'assistant', 'tool', 'system'), src: figure },
  {
    name: text,
    text,
    target: text,
    lines: text,
    diff: text,
    result: text,
    queued: yes,
    reply: yes,
    sent: figure,
    replaces: figure,
    id: text,
  },
);

/** A line of a refined transcript as it is stored; undefined where it is damaged. */
export function readL1Line(line: string): L1Line | undefined {
  return parseStoredLine(line, l1LineShape).value;
}

/** Whether a line is a message: what a user or an assistant said, once. */
export function isMessage({ line }: { line: L1Line }): boolean {
  return isSpoken(line) && line.sent === undefined;
}

/** A message, or the place where a queued one was sent. */
export function isSpoken({ role }: L1Line): boolean {
  return role === 'user' || role === 'assistant';
}
