// Reads a session file in the form that compression uses, without an archive.
import { readFileSync } from 'node:fs';
import { entryTokens, foldLine } from '../src/app/intake/fold-session.ts';
import { newSessionState } from '../src/app/intake/new-session-state.ts';
import type { ToolDetail, Turn } from '../src/core/compress/turn.ts';
import { exchangesOf } from '../src/core/layers/exchanges/exchanges.ts';
import type { Entry } from '../src/core/model/entry.ts';
import { type L1Line, saidText } from '../src/core/model/l1.ts';
import { redact } from '../src/core/text/redact.ts';
import type { TokenCounter } from '../src/core/text/tokens.ts';
import { type Identity, identify } from '../src/core/transcript/identify.ts';
import { SeenIds } from '../src/core/transcript/seen-ids.ts';

/** `upTo`: turns and tokens before the summary. */
export type Summary = { text: string; upTo: number; tokens: number };
export type SessionTurns = {
  turns: Turn[];
  /** In their stored form. */
  lines: L1Line[];
  tokens: number;
  summaries: Summary[];
  cwd: string;
};

export function readSession(path: string, count: TokenCounter): SessionTurns {
  const bytes = readFileSync(path);
  const state = newSessionState(agentOf(bytes));
  const seen = new SeenIds();
  const lines: L1Line[] = [];
  const summaries: Summary[] = [];
  const calls = new Map<string, ToolDetail & { src: number; name: string }>();
  let tokens = 0;
  const onEntry = (entry: Entry) => {
    if (entry.agentId !== undefined) return;
    if (entry.kind === 'compaction') summaries.push({ text: entry.text, upTo: lines.length, tokens });
    // A summary is not part of its own source.
    else tokens += entryTokens(entry, count);
    if (entry.kind === 'tool-call') {
      calls.set(entry.toolUseId, { src: entry.src[0], name: entry.name, input: entry.input, isError: false });
    } else if (entry.kind === 'tool-result') {
      const call = calls.get(entry.toolUseId);
      if (call) Object.assign(call, { output: redact(entry.text).text, isError: entry.isError });
    }
  };
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, from);
    const end = newline === -1 ? bytes.length : newline;
    const fold = { state, seen, sessionId: 'bench', extent: 'paragraph' as const, onEntry };
    const text = foldLine(fold, bytes.subarray(from, end), from, newline === -1);
    for (const line of text ? text.split('\n') : []) if (line !== '') lines.push(JSON.parse(line) as L1Line);
    from = end + 1;
  }
  const details = new Map<string, ToolDetail[]>();
  for (const { src, name, ...detail } of calls.values()) {
    details.set(`${src} ${name}`, [...(details.get(`${src} ${name}`) ?? []), detail]);
  }
  return { turns: turnsOf(lines, details), lines, tokens, summaries, cwd: state.facts.cwd ?? '' };
}

function agentOf(bytes: Buffer): NonNullable<Identity['agent']> {
  let known: Identity = { done: false };
  for (let from = 0; from < bytes.length && !known.agent; ) {
    const newline = bytes.indexOf(0x0a, from);
    const end = newline === -1 ? bytes.length : newline;
    known = identify(known, bytes.subarray(from, end));
    from = end + 1;
  }
  return known.agent ?? 'claude-code';
}

function turnsOf(lines: L1Line[], details: Map<string, ToolDetail[]>): Turn[] {
  const exchanges = exchangesOf('bench', lines);
  return exchanges.flatMap(({ id, abandoned, l1_range: [first, last] }) =>
    lines.slice(first - 1, last).map((line, index) => {
      const detail = line.role === 'tool' ? details.get(`${line.src} ${line.name}`)?.shift() : undefined;
      // An answer without its question is not useful.
      const said = line.asked === undefined ? line : { ...line, text: saidText(line) };
      return { line: said, at: first + index, exchange: id, abandoned, ...(detail ? { detail } : {}) };
    }),
  );
}
