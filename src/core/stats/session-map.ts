import type { Entry } from '../model/entry.ts';
import type { ExchangeRecord, Outcome } from '../model/exchange.ts';
import type { L1Line } from '../model/l1.ts';

/** What the tokens of a session are, in the order they are shown. */
export const TOKEN_KINDS = ['you', 'agent', 'thinking', 'files', 'calls', 'output', 'notes'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Tokens of one place of the original. */
export type TokenSpan = { src: number; kind: TokenKind; tool?: string; tokens: number };
export type TokenShare = Omit<TokenSpan, 'src'>;

/** What they read or write is the content of files, not what a program printed. */
const FILE_TOOLS = new Set(['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookRead', 'NotebookEdit']);
/** Tools that are shown by their names; the others are one share. */
const MOST_TOOLS = 6;
const OTHER_TOOLS = 'other tools';

/** `tool`: the name of the call that a result answers. */
export function shareKind(entry: Entry, tool = ''): Omit<TokenShare, 'tokens'> | undefined {
  switch (entry.kind) {
    case 'user':
      return { kind: 'you' };
    case 'assistant':
      return { kind: 'agent' };
    case 'thinking':
      return { kind: 'thinking' };
    case 'compaction':
      return { kind: 'notes' };
    case 'tool-call':
      return FILE_TOOLS.has(entry.name) ? { kind: 'files' } : { kind: 'calls' };
    case 'tool-result':
      return FILE_TOOLS.has(tool) ? { kind: 'files' } : { kind: 'output', tool };
    default:
      return undefined;
  }
}

/** The same of a line of a version. */
export function versionShareKind(line: { role: L1Line['role']; name?: string }): Omit<TokenShare, 'tokens'> {
  if (line.role === 'user') return { kind: 'you' };
  if (line.role === 'assistant') return { kind: 'agent' };
  if (line.role === 'system') return { kind: 'notes' };
  return FILE_TOOLS.has(line.name ?? '') ? { kind: 'files' } : { kind: 'output', tool: line.name ?? '' };
}

/** Tokens by kind, those of what tools printed by tool, the largest first. `tools`: those with a share of their own. */
export function tokenShares(spans: Iterable<TokenShare>, tools?: readonly string[]): TokenShare[] {
  const sums = new Map<TokenKind, number>();
  const outputs = new Map<string, number>();
  for (const { kind, tool = '', tokens } of spans) {
    if (tokens <= 0) continue;
    if (kind === 'output') outputs.set(tool, (outputs.get(tool) ?? 0) + tokens);
    else sums.set(kind, (sums.get(kind) ?? 0) + tokens);
  }
  const largest = [...outputs].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const named = tools ?? largest.slice(0, MOST_TOOLS).map(([tool]) => tool);
  const shares: TokenShare[] = [];
  for (const kind of TOKEN_KINDS) {
    const tokens = sums.get(kind) ?? 0;
    if (kind !== 'output' && tokens > 0) shares.push({ kind, tokens });
    if (kind !== 'output') continue;
    shares.push(
      ...named.flatMap((tool) => (outputs.has(tool) ? [{ kind, tool, tokens: outputs.get(tool)! }] : [])),
    );
    const rest = largest.reduce((sum, [tool, count]) => sum + (named.includes(tool) ? 0 : count), 0);
    if (rest > 0) shares.push({ kind, tool: OTHER_TOOLS, tokens: rest });
  }
  return shares;
}

/** An exchange on the timeline. */
export type SessionBlock = {
  id: string;
  title: string;
  ts: string;
  src: number;
  /** Its first line of L1. */
  line: number;
  outcome: Outcome;
  /** From its first line to its last. */
  seconds: number;
  /** Of the original, up to the next exchange. */
  bytes: number;
  /** Absent where the original was not read. */
  tokens?: number;
  tools: number;
  errors: number;
};

export const MARK_KINDS = ['commit', 'decision', 'keepit', 'compaction', 'error'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** Something to see on the timeline: in which block, and where in it from 0 to 1. */
export type SessionMark = { kind: MarkKind; block: number; at: number; src: number; text: string };

type Blocked = Pick<ExchangeRecord, 'id' | 'title' | 'ask' | 'ts' | 'src' | 'l1_range' | 'outcome'> &
  Pick<ExchangeRecord, 'tools' | 'errors'> & { abandoned?: boolean };

/** What a session's blocks are made from; `end` is where the original ends. */
type ReadSession = {
  lines: readonly Pick<L1Line, 'ts'>[];
  end: number;
  spans?: readonly Pick<TokenSpan, 'src' | 'tokens'>[];
};

/** The exchanges of a session with how long each took and how large it is. */
export function sessionBlocks(
  exchanges: readonly Blocked[],
  { lines, end: last, spans }: ReadSession,
): SessionBlock[] {
  const starts = exchanges.map(({ src }) => src);
  const tokens = exchanges.map(() => 0);
  for (const span of spans ?? []) {
    const at = blockAt(starts, span.src);
    if (at !== undefined) tokens[at]! += span.tokens;
  }
  return exchanges.map((it, index) => {
    const end = lines[it.l1_range[1] - 1]?.ts ?? it.ts;
    const millis = Date.parse(end) - Date.parse(it.ts);
    return {
      id: it.id,
      title: it.title ?? it.ask,
      ts: it.ts,
      src: it.src,
      line: it.l1_range[0],
      outcome: it.abandoned ? 'rejected' : it.outcome,
      seconds: Number.isFinite(millis) && millis > 0 ? Math.round(millis / 1000) : 0,
      bytes: Math.max(0, (starts[index + 1] ?? last) - it.src),
      ...(spans ? { tokens: tokens[index]! } : {}),
      tools: it.tools,
      errors: it.errors,
    };
  });
}

export type Happening = { kind: MarkKind; src: number; text: string };

/** What happened, placed in the blocks; `end` is where the original ends. */
export function sessionMarks(
  blocks: readonly Pick<SessionBlock, 'src'>[],
  happened: Iterable<Happening>,
  end: number,
): SessionMark[] {
  const starts = blocks.map(({ src }) => src);
  const marks: SessionMark[] = [];
  for (const it of happened) {
    const block = blockAt(starts, it.src);
    if (block === undefined) continue;
    const from = starts[block]!;
    const span = (starts[block + 1] ?? end) - from;
    const at = span > 0 ? Math.min(1, Math.max(0, (it.src - from) / span)) : 0;
    marks.push({ ...it, block, at });
  }
  return marks.sort((a, b) => a.src - b.src || MARK_KINDS.indexOf(a.kind) - MARK_KINDS.indexOf(b.kind));
}

/** Commits, compactions and errors as the lines of a session show them: an exchange's errors are one mark. */
export function happeningsIn(
  exchanges: readonly Pick<ExchangeRecord, 'src' | 'l1_range' | 'commits' | 'errors'>[],
  lines: readonly L1Line[],
): Happening[] {
  const found: Happening[] = [];
  for (const { src, l1_range, commits = [], errors } of exchanges) {
    const own = lines.slice(l1_range[0] - 1, l1_range[1]);
    const committed = own.filter((it) => it.role === 'tool' && (it.target ?? '').includes('git commit'));
    commits.forEach((text, at) => {
      found.push({ kind: 'commit', src: committed[at]?.src ?? src, text });
    });
    for (const line of own)
      if (line.role === 'system' && line.name === 'compaction')
        found.push({ kind: 'compaction', src: line.src, text: 'The agent compacted the conversation.' });
    const failed = own.find((it) => it.role === 'tool' && it.result !== undefined);
    if (errors > 0 && failed)
      found.push({ kind: 'error', src: failed.src, text: `${failed.target ?? failed.name ?? ''}`.trim() });
  }
  return found;
}

/** The last block that begins at or before a place; what comes before all of them belongs to the first. */
function blockAt(starts: readonly number[], src: number): number | undefined {
  if (starts.length === 0) return undefined;
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= src) low = middle;
    else high = middle - 1;
  }
  return low;
}
