import { shortHash } from '../model/ids.ts';
import type { L1Line } from '../model/l1.ts';

const CHANGES_FILES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

/** One ask and all it caused, up to the next ask. */
export type Exchange = {
  id: string;
  ts: string;
  /** The words that started it; empty for what stands before the first ask. */
  ask: string;
  /** Lines of the L1 file, counted from 1, both ends included. */
  l1_range: [number, number];
  files: string[];
  tools: number;
  errors: number;
  /** The user went back and asked anew. */
  abandoned: boolean;
  src: number;
};

/** Whether a line starts an exchange. What is typed while the agent works, or in answer to a tool, does not. */
export function startsExchange(line: L1Line): boolean {
  return line.role === 'user' && !line.queued && !line.reply;
}

export function exchangesOf(sessionId: string, lines: L1Line[]): Exchange[] {
  const exchanges: Exchange[] = [];
  const queuedWords = new Map<number, string>();
  let current: Exchange | undefined;
  lines.forEach((line, index) => {
    if (line.queued) queuedWords.set(line.src, line.text ?? '');
    if (current === undefined || startsExchange(line)) {
      const ask = line.sent === undefined ? line.text : queuedWords.get(line.sent);
      current = begin(sessionId, line, startsExchange(line) ? (ask ?? '') : '', index + 1);
      if (line.replaces !== undefined) markAbandoned(exchanges, line.replaces);
      exchanges.push(current);
    }
    current.l1_range[1] = index + 1;
    if (line.role === 'tool') noteTool(current, line);
  });
  return exchanges;
}

function begin(sessionId: string, line: L1Line, ask: string, at: number): Exchange {
  const id = `ex_${shortHash(`${sessionId}:${line.src}`, 12)}`;
  return {
    id,
    ts: line.ts,
    ask,
    l1_range: [at, at],
    files: [],
    tools: 0,
    errors: 0,
    abandoned: false,
    src: line.src,
  };
}

function noteTool(exchange: Exchange, line: L1Line): void {
  exchange.tools++;
  if (line.result !== undefined) exchange.errors++;
  const file =
    line.name && CHANGES_FILES.has(line.name) && line.result === undefined ? line.target : undefined;
  if (file && !exchange.files.includes(file)) exchange.files.push(file);
}

function markAbandoned(exchanges: Exchange[], from: number): void {
  for (const exchange of exchanges) if (exchange.src >= from) exchange.abandoned = true;
}
