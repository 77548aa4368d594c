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
  /** Which lines were read or changed. */
  lines?: string;
  diff?: string;
  /** Only when the result is not ok: the first lines of the error, or `none` for a call that was never answered. */
  result?: string;
  /** The exit status of a command that failed, where it is known. */
  exit?: number;
  /** Typed while the agent worked. */
  queued?: true;
  /** Said in answer to a tool: why a call was refused, what was chosen. */
  reply?: true;
  /** The agent's question that a reply, or a short message like "yes" or "option 2", answers; the description of the chosen option. */
  asked?: string;
  choice?: string;
  /** The agent's summary of the conversation when it was compacted. */
  summary?: string;
  /** The slash command before the words. */
  command?: string;
  /** Said to the client and not to the agent: starts no exchange. */
  aside?: true;
  /** Nothing shows that a person typed it, or that a program wrote it: shown as the user's, never obeyed. */
  unproven?: true;
  /** No text of its own: the queued message at this `src` was sent at this point. */
  sent?: number;
  /** The user went back and asked again: what was said from this `src` on up to here was abandoned. */
  replaces?: number;
  /** Only imported chats keep their lines' own ids. */
  id?: string;
  src: number;
};

/** The `name` of a system line with text under the role of the user that was not typed. */
export const UNTYPED = 'untyped';

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
    exit: figure,
    queued: yes,
    reply: yes,
    asked: text,
    choice: text,
    summary: text,
    command: text,
    aside: yes,
    unproven: yes,
    sent: figure,
    replaces: figure,
    id: text,
  },
);

/** A line of a refined transcript as it is stored; undefined if it is damaged. */
export function readL1Line(line: string): L1Line | undefined {
  return parseStoredLine(line, l1LineShape).value;
}

/** Whether a line is a message: what a user or an assistant said, once. */
export function isMessage({ line }: { line: L1Line }): boolean {
  return isSpoken(line) && line.sent === undefined;
}

/**
 * Whether a line starts an exchange. What is typed while the agent works, in answer to a tool or to the client does not.
 */
export function startsExchange(line: L1Line): boolean {
  return line.role === 'user' && !line.queued && !line.reply && !line.aside;
}

/** Whether the words of a line are the user's own: an option that was clicked is in the agent's words. */
export function isOwnWords(line: L1Line): boolean {
  return line.role === 'user' && !line.unproven && !(line.reply && line.choice !== undefined);
}

/** What a line says, an answer behind its question. */
export function saidText({ text = '', asked, choice, command }: L1Line): string {
  if (command !== undefined) return `${command} ${text}`.trim();
  if (asked === undefined) return text;
  return `${asked}\n→ ${text}${choice ? ` (${choice})` : ''}`;
}

/** The request of a line; for a short answer, with the question it answers. */
export function askText({ text = '', asked, choice, command }: L1Line): string {
  if (asked === undefined || text === '') return text || (command ?? '');
  return choice ? `${text} (${choice})` : `${text} (to: ${asked})`;
}

/** A message, or the place where a queued one was sent. */
export function isSpoken({ role }: L1Line): boolean {
  return role === 'user' || role === 'assistant';
}
