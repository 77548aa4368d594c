import { type MarkedRange, markRange, placesOfWords } from '../../core/keepit/mark-range.ts';
import { Fault } from '../../core/model/fault.ts';
import { redact } from '../../core/text/redact.ts';
import { shortIds } from '../find/session.ts';
import type { SessionRow } from '../find/sessions.ts';
import { readMessages, type SessionMessage } from '../intake/keepit-messages.ts';
import type { World } from '../world.ts';

/** Where in a session something shall be kept. Without words and range: a whole message. */
export type KeepitTarget = {
  /** A message's id or the beginning of one. */
  message?: string;
  exchange?: string;
  /** Byte offset of the message's line in the original, as L1 has it. */
  src?: number;
  /** Of several that fit, the last. */
  last?: boolean;
  text?: string;
  range?: { start: number; end: number };
};

type Place = { message: SessionMessage; start: number; end: number };

const LISTED = 10;
const SNIPPET = 60;
const BEFORE = 20;

/** The one range that is meant. Faults name the choices. */
export async function findTarget(world: World, row: SessionRow, target: KeepitTarget): Promise<MarkedRange> {
  const { message, exchange, src, last, text, range } = target;
  if (message === undefined && exchange === undefined && src === undefined && !last && text === undefined)
    throw new Fault('usage', 'Missing text to keep.', {
      hint: 'Give it with --text "words of a message", --message ID or --last.',
    });
  if (text !== undefined && range !== undefined)
    throw new Fault('usage', 'Use either --text or --range, not both.');
  if (text?.trim() === '') throw new Fault('usage', '--text is empty.');
  const { messages, inTools } = await readMessages(world, row, text?.trim());
  const fitting = messages.filter((it) => fits(it, target));
  if (fitting.length === 0) throw noMessage(target, messages);
  const places = fitting.flatMap((it) => placesIn(it, target));
  if (places.length === 0) throw noWords(text ?? '', inTools);
  const chosen = last ? places.slice(-1) : places;
  const [place] = chosen;
  if (!place || chosen.length > 1) throw ambiguous(world, chosen, text !== undefined);
  const marked = markRange(place.message.entry, row.sessionId, place);
  if ('wrong' in marked)
    throw new Fault('usage', marked.wrong, { hint: 'Give another --range, or other words with --text.' });
  return marked;
}

function fits({ entry, exchange }: SessionMessage, target: KeepitTarget): boolean {
  const begins = (id: string, wanted: string | undefined) =>
    wanted === undefined || id.toLowerCase().startsWith(wanted.toLowerCase());
  const isThere = target.src === undefined || entry.src[0] === target.src;
  return isThere && begins(entry.id, target.message) && begins(exchange, target.exchange);
}

function placesIn(message: SessionMessage, { text, range }: KeepitTarget): Place[] {
  const { entry } = message;
  if (text !== undefined) return placesOfWords(entry.text, text).map((place) => ({ message, ...place }));
  return [{ message, ...(range ?? { start: 0, end: entry.text.length }) }];
}

function noMessage({ message, exchange, src }: KeepitTarget, messages: SessionMessage[]): Fault {
  if (messages.length === 0) return new Fault('not-found', 'This session has no messages.');
  const named =
    message !== undefined
      ? `message ${message}`
      : exchange !== undefined
        ? `exchange ${exchange}`
        : `message at byte ${src}`;
  return new Fault('not-found', `No ${named} in this session.`, {
    hint: '`keepsake search WORDS --json` shows message ids, `keepsake exchanges SESSION` exchange ids. Tool calls and their results are not messages.',
  });
}

function noWords(text: string, inTools: number): Fault {
  const words = JSON.stringify(text.length > SNIPPET ? `${text.slice(0, SNIPPET)}…` : text);
  if (inTools > 0) {
    return new Fault('not-found', `${words} appears only in tool output, which can't be kept.`, {
      hint: 'Keep what you or the agent said about it.',
    });
  }
  return new Fault('not-found', `${words} does not appear in any message of this session.`, {
    hint: '`keepsake show SESSION --messages` shows them. The search is case-sensitive.',
  });
}

function ambiguous(world: World, places: Place[], byWords: boolean): Fault {
  const messages = new Map(places.map((place) => [place.message.entry, place]));
  const inOne = messages.size === 1;
  // In one message every place is a choice, otherwise every message.
  const choices = inOne ? places : [...messages.values()];
  const ids = shortIds(choices.map(({ message }) => message.entry.id));
  const list = choices.slice(0, LISTED).map(({ message: { entry }, start, end }) => {
    const range = inOne ? ` --range ${start}:${end}` : '';
    const words = entry.text.slice(Math.max(0, start - (byWords ? BEFORE : 0)), start + SNIPPET);
    const shown = redact(words).text.replace(/\s+/g, ' ').trim();
    return `  --message ${ids.get(entry.id)}${range}  ${world.clock.local(entry.ts)}  ${entry.kind}: ${shown}`;
  });
  const rest = choices.length > LISTED ? `\n  and ${choices.length - LISTED} more` : '';
  const what = byWords ? 'This text appears in' : 'This matches';
  const where = inOne ? `this message ${places.length} times` : `${messages.size} messages`;
  return new Fault('ambiguous', `${what} ${where}.`, {
    hint: `Choose one, or use the last one with --last:\n${list.join('\n')}${rest}`,
    choices: choices.map(({ message }) => ({ id: message.entry.id })),
  });
}
