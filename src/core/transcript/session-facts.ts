import type { Entry, LineFacts } from '../model/entry.ts';
import { redact } from '../text/redact.ts';
import { toUtc } from '../text/utc.ts';

const REMEMBERED_MESSAGES = 16;
const REMEMBERED_TITLES = 50;
const LONGEST_TITLE = 300;
/** Characters of a title that are looked at. */
const LOOKED_AT = 2000;

/** What is known of a session from its lines. Plain JSON. */
export type SessionFacts = {
  sessionId?: string;
  cwd?: string;
  gitBranch?: string;
  gitBranches: string[];
  version?: string;
  models: string[];
  first: string;
  last: string;
  customTitle?: string;
  aiTitle?: string;
  summaryTitle?: string;
  /** Summaries by the uuid they end at: only those of this session are its titles. */
  summaries: [leaf: string, text: string][];
  subs: Record<string, { toolUseId?: string; messages: number }>;
  counts: {
    human: number;
    queued: number;
    assistant: number;
    toolCalls: number;
    toolErrors: number;
    compactions: number;
  };
  recentMessages: string[];
};

export function newSessionFacts(): SessionFacts {
  const counts = { human: 0, queued: 0, assistant: 0, toolCalls: 0, toolErrors: 0, compactions: 0 };
  return {
    gitBranches: [],
    models: [],
    first: '',
    last: '',
    summaries: [],
    subs: Object.create(null),
    counts,
    recentMessages: [],
  };
}

export function noteLine(facts: SessionFacts, line: LineFacts): void {
  if (line.sub) {
    noteStart(facts, line.sub.agentId, line.sub.toolUseId);
    facts.subs[line.sub.agentId]!.messages++;
  }
  if (line.sidechain) return;
  if (line.sessionId && !facts.sessionId) facts.sessionId = line.sessionId;
  if (line.cwd && !facts.cwd) facts.cwd = line.cwd;
  if (line.version) facts.version = line.version;
  if (line.gitBranch && line.gitBranch !== facts.gitBranch) {
    facts.gitBranch = redact(line.gitBranch).text;
    if (!facts.gitBranches.includes(facts.gitBranch)) facts.gitBranches.push(facts.gitBranch);
  }
}

/** `known` holds the ids of this session's lines; `again` that the words came before, when queued. */
export function noteEntry(
  facts: SessionFacts,
  entry: Entry,
  known: { has(uuid: string): boolean },
  again = false,
): void {
  if (entry.agentId !== undefined) noteSub(facts, entry);
  else noteOwn(facts, entry, known, again);
}

function noteOwn(
  facts: SessionFacts,
  entry: Entry,
  known: { has(uuid: string): boolean },
  again: boolean,
): void {
  if (entry.kind !== 'title') noteTime(facts, entry.ts);
  if (facts.summaries.length > 0) settleTitle(facts, entry.id);
  switch (entry.kind) {
    case 'user':
      if (again) break;
      facts.counts.human++;
      if (entry.queued) facts.counts.queued++;
      break;
    case 'assistant':
    case 'thinking':
      noteMessage(facts, entry.messageId ?? entry.id, entry.model);
      break;
    case 'tool-call':
      facts.counts.toolCalls++;
      noteMessage(facts, entry.messageId ?? entry.id, entry.model);
      break;
    case 'tool-result':
      if (entry.isError) facts.counts.toolErrors++;
      if (entry.startedAgentId) noteStart(facts, entry.startedAgentId, entry.toolUseId);
      break;
    case 'compaction':
      facts.counts.compactions++;
      break;
    case 'title':
      noteTitle(facts, entry, known);
  }
}

function noteTime(facts: SessionFacts, time: string): void {
  const utc = toUtc(time);
  if (utc === undefined) return;
  if (facts.first === '' || utc < facts.first) facts.first = utc;
  if (utc > facts.last) facts.last = utc;
}

function noteMessage(facts: SessionFacts, messageId: string, model: string | undefined): void {
  if (model && !facts.models.includes(model)) facts.models.push(model);
  if (facts.recentMessages.includes(messageId)) return;
  facts.counts.assistant++;
  facts.recentMessages.push(messageId);
  if (facts.recentMessages.length > REMEMBERED_MESSAGES) facts.recentMessages.shift();
}

function noteSub(facts: SessionFacts, entry: Entry): void {
  const id = entry.agentId ?? '';
  facts.subs[id] ??= { messages: 0 };
  if (entry.kind === 'user' || entry.kind === 'assistant') facts.subs[id].messages++;
}

function noteStart(facts: SessionFacts, agentId: string, toolUseId: string): void {
  facts.subs[agentId] ??= { messages: 0 };
  if (toolUseId) facts.subs[agentId].toolUseId = toolUseId;
}

function noteTitle(
  facts: SessionFacts,
  entry: Entry & { kind: 'title' },
  known: { has(uuid: string): boolean },
): void {
  const text = titleOf(entry.text);
  if (entry.custom) facts.customTitle = text;
  else if (entry.leaf === undefined) facts.aiTitle = text;
  else if (known.has(entry.leaf)) facts.summaryTitle = text;
  else {
    facts.summaries.push([entry.leaf, text]);
    if (facts.summaries.length > REMEMBERED_TITLES) facts.summaries.shift();
  }
}

function settleTitle(facts: SessionFacts, uuid: string): void {
  const at = facts.summaries.findIndex(([leaf]) => leaf === uuid);
  if (at !== -1) facts.summaryTitle = facts.summaries.splice(at, 1)[0]![1];
}

function titleOf(text: string): string {
  // Redacted before it is cut: half a secret has no shape.
  const plain = redact(text.slice(0, LOOKED_AT)).text.trim();
  return [...(plain.split('\n', 1)[0] ?? '')].slice(0, LONGEST_TITLE).join('');
}
