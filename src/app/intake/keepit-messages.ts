import { exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import type { Entry, TextEntry } from '../../core/model/entry.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { type L1Line, readL1Line } from '../../core/model/l1.ts';
import { type Agent, readLine } from '../../core/transcript/read-line.ts';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { originalName } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { type Fold, foldLine } from './fold-session.ts';
import { newSessionState } from './new-session-state.ts';

/** What the user or the assistant said, as it is in the original. */
export type SessionMessage = { entry: TextEntry; exchange: string };

export type SessionMessages = {
  messages: SessionMessage[];
  /** Results of tools that contain the words looked for. */
  inTools: number;
};

/** The session whose archived copy is read. */
type CopiedSession = { projectId: ProjectId; sessionId: SessionId; metadata: { agent: string } };

/** Every message of a session that can be kept, read from the archived copy. Each is there once, as in L1. */
export async function readMessages(
  world: World,
  row: CopiedSession,
  words?: string,
): Promise<SessionMessages> {
  const state = newSessionState(row.metadata.agent as Agent);
  const said: TextEntry[] = [];
  const lines: L1Line[] = [];
  let inTools = 0;
  let entries: Entry[] = [];
  const fold: Fold = {
    state,
    seen: new SeenIds(),
    sessionId: row.sessionId,
    extent: 'paragraph',
    onEntry: (entry: Entry) => void entries.push(entry),
  };
  await world.transcripts.readLines(copyOf(world, row), 0, (line, at, last) => {
    entries = [];
    const text = foldLine(fold, line, at, last);
    if (text === false) return false;
    const read = text.split('\n').flatMap((it) => readL1Line(it) ?? []);
    lines.push(...read);
    // A message that was queued first is not in L1 again when it is sent.
    const isSent = read.some((it) => it.role === 'user' && it.sent === undefined);
    for (const entry of entries) {
      if (entry.kind === 'tool-result' && words && entry.text.includes(words)) inTools++;
      if (isMessage(entry) && (entry.kind === 'assistant' || isSent)) said.push(entry);
    }
    return true;
  });
  const exchanges = exchangeBySrc(row.sessionId, lines);
  return { messages: said.map((entry) => ({ entry, exchange: exchanges.get(entry.src[0]) ?? '' })), inTools };
}

/** The texts of one message as the archived copy has them; its line begins at `src`. */
export async function readMessageAt(
  world: World,
  row: CopiedSession,
  src: number,
  id: string,
): Promise<TextEntry[]> {
  let found: TextEntry[] = [];
  await world.transcripts.readLines(copyOf(world, row), src, (line, at, last) => {
    const { objects } = readLine(row.metadata.agent as Agent, line, at, last);
    found = objects.flatMap(({ entries }) => entries.filter(isMessage)).filter((entry) => entry.id === id);
    return 'stop';
  });
  return found;
}

function copyOf(world: World, row: Omit<CopiedSession, 'metadata'>): string {
  return world.archive.originals.path(row.projectId, originalName(row.sessionId));
}

function isMessage(entry: Entry): entry is TextEntry {
  return (
    (entry.kind === 'user' || entry.kind === 'assistant') &&
    entry.origin === entry.kind &&
    entry.agentId === undefined &&
    entry.text.trim() !== ''
  );
}

function exchangeBySrc(sessionId: string, lines: L1Line[]): Map<number, string> {
  const exchanges = new Map<number, string>();
  for (const { id, l1_range } of exchangesOf(sessionId, lines)) {
    for (const line of lines.slice(l1_range[0] - 1, l1_range[1]))
      if (line.role !== 'tool') exchanges.set(line.src, id);
  }
  return exchanges;
}
