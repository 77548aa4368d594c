import type { Entry, TextEntry } from '../model/entry.ts';
import { shortHash } from '../model/ids.ts';
import { redact } from '../text/redact.ts';
import { repeatsQueued } from './claude-code/typing-evidence.ts';

/** The name by which words without a mark are counted. */
export const NO_SIGN = 'no sign of typing';
const MOST_WAITING = 200;

/**
 * What a session has shown about its client so far: `marked` is the time of the last line with a mark, `waiting` are texts of
 * queue lines that no later line has shown to be typed.
 */
export type TypingState = {
  marked?: string;
  waiting?: WaitingText[];
  facts: { version?: string; counts: { human: number; assistant: number } };
  /** How many lines of each kind were skipped. */
  lines: { skipped: Record<string, number> };
};
/** `text` only of a prompt that came before its client was known. */
export type WaitingText = { words: string; src: number; ts: string; id: string; text?: string };

/**
 * A user's entry as far as its evidence goes. Where the client marks what was typed and this has no mark, it is the client's:
 * a notice, counted and kept as text. A queue line of such a client has no mark of its own: the line that sends it counts.
 */
export function proveTyping(state: TypingState, entry: Entry): Entry {
  if (entry.kind !== 'user' || entry.agentId !== undefined) return entry;
  const { evidence, ...plain } = entry;
  if (evidence === 'marked') state.marked = entry.ts;
  const isTyped = !isUntyped(state, entry);
  const words = shortHash(entry.text.trim(), 16);
  if (!isTyped && isQueueLine(entry)) {
    wait(state, entry, words);
    return { ...plain, kind: 'notice', origin: 'machine' };
  }
  if (state.waiting) settle(state, words);
  if (!isTyped) return { ...plain, kind: 'notice', origin: 'machine', shape: NO_SIGN, untyped: true };
  if (evidence === 'weak') return { ...plain, unproven: true };
  return evidence ? plain : entry;
}

function wait(state: TypingState, { id, ts, src, text }: TextEntry, words: string): void {
  const own = state.facts.version === undefined ? { text: redact(text).text } : {};
  state.waiting = [...(state.waiting ?? []), { words, src: src[0], ts, id, ...own }].slice(-MOST_WAITING);
}

/** Once the client is known to be one that does not repeat what was queued: the texts that came before. */
export function queuedBefore(state: TypingState): TextEntry[] {
  const { waiting, facts } = state;
  if (!waiting || facts.version === undefined || repeatsQueued(facts.version)) return [];
  delete state.waiting;
  return waiting.flatMap(({ id, ts, src, text = '' }) =>
    text === '' ? [] : [{ id, ts, src: [src, src], kind: 'user', origin: 'user', queued: true, text }],
  );
}

function settle(state: TypingState, words: string): void {
  const at = state.waiting!.findIndex((text) => text.words === words);
  if (at !== -1) state.waiting!.splice(at, 1);
  if (state.waiting!.length === 0) delete state.waiting;
}

function isUntyped(state: TypingState, entry: TextEntry): boolean {
  // An editor writes a message in several lines of the same moment, and marks the first.
  if (entry.evidence === 'marked' || state.marked === entry.ts) return entry.evidence === 'unmarked';
  switch (entry.evidence) {
    case 'unmarked':
    case 'bare':
      return true;
    // Not every client of that time marked anything: only one that did shows by its silence.
    case 'early':
      return state.marked !== undefined;
    // An editor's client notes the state of the files before a prompt; a program that sends one has no use for that.
    case 'blocks':
      return state.marked !== undefined || state.lines.skipped['file-history-snapshot'] === undefined;
    default:
      return isQueueLine(entry) && mayBeRepeated(state);
  }
}

/** Before its first line a client queues nothing but a prompt, which it repeats. */
function mayBeRepeated({ facts: { version, counts } }: TypingState): boolean {
  return version === undefined ? counts.human + counts.assistant === 0 : repeatsQueued(version);
}

function isQueueLine({ queued, id }: { queued?: true; id: string }): boolean {
  return queued === true && id.startsWith('q_');
}
