import { shortHash } from '../../model/ids.ts';
import { askText, type L1Line, startsExchange } from '../../model/l1.ts';
import { apart, isRewound, type Rewind } from './rewinds.ts';

const CHANGES_FILES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

/** One ask and all it caused, up to the next ask. */
export type Exchange = {
  id: string;
  ts: string;
  /** The words that started it; empty for what is before the first ask. */
  ask: string;
  /** Lines of the L1 file, counted from 1, both ends included. */
  l1_range: [number, number];
  files: string[];
  tools: number;
  errors: number;
  /** The user went back and asked again. */
  abandoned: boolean;
  src: number;
};

/** What a stretch of a session does not say itself: words typed before it, and where the user went back, `apart`. */
export type ExchangeContext = { queued: Map<number, string>; rewinds: Rewind[] };

export function exchangesOf(
  sessionId: string,
  lines: L1Line[],
  { queued, rewinds }: ExchangeContext = { queued: new Map(), rewinds: apart(rewindsIn(lines)) },
  firstLine = 1,
): Exchange[] {
  const exchanges: Exchange[] = [];
  let current: Exchange | undefined;
  let files = new Set<string>();
  lines.forEach((line, index) => {
    if (line.queued) queued.set(line.src, line.text ?? '');
    if (current === undefined || startsExchange(line)) {
      const ask = line.sent === undefined ? askText(line) : queued.get(line.sent);
      current = begin(sessionId, line, startsExchange(line) ? (ask ?? '') : '', firstLine + index);
      current.abandoned = isRewound(rewinds, line.src);
      exchanges.push(current);
      files = new Set();
    }
    current.l1_range[1] = firstLine + index;
    if (line.role === 'tool') noteTool(current, line, files);
  });
  return exchanges;
}

export function rewindsIn(lines: L1Line[]): Rewind[] {
  return lines.flatMap((line) =>
    line.replaces !== undefined && startsExchange(line) ? [{ src: line.src, to: line.replaces }] : [],
  );
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

function noteTool(exchange: Exchange, line: L1Line, files: Set<string>): void {
  exchange.tools++;
  if (line.result !== undefined) exchange.errors++;
  const file =
    line.name && CHANGES_FILES.has(line.name) && line.result === undefined ? line.target : undefined;
  if (!file || files.has(file)) return;
  files.add(file);
  exchange.files.push(file);
}
