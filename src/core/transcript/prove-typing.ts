import type { Entry, TextEntry } from '../model/entry.ts';
import { repeatsQueued } from './claude-code/typing-evidence.ts';

/** The name by which words without a mark are counted. */
export const NO_SIGN = 'no sign of typing';

/** What a session has shown of its client so far: `marked` is the time of the last line that had a mark. */
export type TypingState = { marked?: string; facts: { version?: string } };

/**
 * A user's entry as far as its evidence goes: where the client marks what was typed and this has no mark, it is kept and
 * shown, but it is nobody's order. `queued` lines have no marks of their own: what was sent later proves them.
 */
export function proveTyping(state: TypingState, entry: Entry): Entry {
  if (entry.kind !== 'user' || entry.agentId !== undefined) return entry;
  const { evidence, ...plain } = entry;
  if (evidence === 'marked') state.marked = entry.ts;
  return isUnproven(state, entry) ? { ...plain, unproven: true } : evidence ? plain : entry;
}

function isUnproven(state: TypingState, entry: TextEntry): boolean {
  // An editor writes a message in several lines of the same moment, and marks the first.
  if (entry.evidence === 'marked' || state.marked === entry.ts) return entry.evidence === 'unmarked';
  switch (entry.evidence) {
    case 'unmarked':
    case 'bare':
      return true;
    // Not every client of that time marked anything: only one that did shows by its silence.
    case 'early':
      return state.marked !== undefined;
    default:
      // Before any line that names its version a client queues nothing but a prompt, which it repeats.
      return isQueueLine(entry) && (state.facts.version === undefined || repeatsQueued(state.facts.version));
  }
}

function isQueueLine({ queued, id }: { queued?: true; id: string }): boolean {
  return queued === true && id.startsWith('q_');
}
