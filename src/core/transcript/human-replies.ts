import type { Entry, TextEntry, ToolResultEntry } from '../model/entry.ts';
import { OWN_TOOLS } from '../model/own-tools.ts';

const ANSWERED = 'User has answered your questions: ';
const GO_ON = /\.? You can now continue with the user's answers in mind\.\s*$/;
const REMEMBERED_CALLS = 200;

/** Names of the calls that wait for their results. Plain JSON. */
export type ReplyState = [toolUseId: string, name: string][];

/**
 * A human's words that are inside a tool result: why a call was refused, what was chosen. They become an entry of
 * their own after the result.
 */
export function humanReply(state: ReplyState, entry: Entry): TextEntry | undefined {
  if (entry.kind === 'tool-call') {
    state.push([entry.toolUseId, entry.name]);
    if (state.length > REMEMBERED_CALLS) state.shift();
    return undefined;
  }
  if (entry.kind !== 'tool-result') return undefined;
  const at = state.findIndex(([id]) => id === entry.toolUseId);
  const name = at === -1 ? undefined : state.splice(at, 1)[0]![1];
  if (name === undefined || !OWN_TOOLS.has(name)) return undefined;
  const words = wordsIn(entry, name);
  if (!words) return undefined;
  const { id, ts, src, parent, agentId } = entry;
  return {
    id,
    ts,
    src,
    kind: 'user',
    origin: 'user',
    text: words,
    reply: true,
    ...(parent ? { parent } : {}),
    ...(agentId ? { agentId } : {}),
  };
}

function wordsIn(entry: ToolResultEntry, name: string): string | undefined {
  if (name === 'AskUserQuestion' && entry.text.startsWith(ANSWERED))
    return entry.text.slice(ANSWERED.length).replace(GO_ON, '').trim();
  return entry.said;
}
