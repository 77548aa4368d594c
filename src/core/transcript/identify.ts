import type { Entry } from '../model/entry.ts';
import { type Agent, detectAgent, readLine } from './read-line.ts';

/** What the first lines of a file say of it. */
export type Identity = {
  agent?: Agent;
  sessionId?: string;
  cwd?: string;
  /** The address of its repository. */
  repository?: string;
  /** Set when the file is a subagent's, and no session of its own. */
  agentId?: string;
  /** It begins with lines that `compose --resume` wrote. */
  isResume?: true;
  done: boolean;
};

/** Enough lines to find an id and a folder, even behind a long head of snapshots and summaries. */
export const IDENTIFY_LINES = 400;

/** Takes one more line into account; `done` when nothing is missing any more. */
export function identify(known: Identity, line: Buffer): Identity {
  const agent = known.agent ?? detectAgent(line);
  if (agent === undefined) return known;
  const next: Identity = { ...known, agent };
  for (const { facts, entries } of readLine(agent, line, 0, true).objects) {
    if (entries.some(declaresLines)) next.isResume = true;
    if (facts.sidechain && facts.agentId && next.sessionId === undefined) next.agentId = facts.agentId;
    if (facts.sessionId && next.sessionId === undefined) next.sessionId = facts.sessionId;
    if (facts.cwd && next.cwd === undefined) next.cwd = facts.cwd;
    if (facts.repository && next.repository === undefined) next.repository = facts.repository;
  }
  next.done = next.cwd !== undefined && (next.sessionId !== undefined || agent === 'generic');
  return next;
}

function declaresLines(entry: Entry): boolean {
  return 'composed' in entry && entry.composed?.some(({ lines }) => lines !== undefined) === true;
}
