import type { Exchange } from '../core/layers/exchanges.ts';
import { pack } from '../core/search/pack.ts';
import { asksNothing, parseQuery } from '../core/search/query.ts';
import { inLine, shortened } from '../core/search/recall-text.ts';
import { loadTokenCounter, TOKEN_COUNTER } from '../core/text/tokens.ts';
import { journalPieces } from './journal-recall.ts';
import { memoryPieces } from './recall-memory.ts';
import { recallRules } from './recall-rules.ts';
import { recallScope } from './recall-scope.ts';
import { type RecallPiece, RecallSources } from './recall-sources.ts';
import { isBy, topicPieces } from './recall-topic.ts';
import type { SessionRow } from './sessions.ts';
import type { World } from './world.ts';

export type RecallRequest = {
  topic?: string;
  /** Tokens. */
  budget?: number;
  files?: string[];
  /** A UTC day or moment: nothing later is told. */
  asOf?: string;
  project?: string;
};

export type Recall = {
  /** Markdown; empty when nothing is known or nothing fits. */
  text: string;
  tokens: number;
  budget: number;
  tokenCounter: string;
  /** The project that was asked; null when all were. */
  project: string | null;
  pieces: RecallPiece[];
  /** What was known besides, but had no room. */
  left: number;
  notes: string[];
};

export const RECALL_BUDGET = 2000;
const NOTHING_FITS = 'Nothing that is remembered fits this; what follows is remembered whatever the topic.';
const LATEST_SESSIONS = 6;
const LATEST_EXCHANGES = 12;
const ASK_UNITS = 400;
const ANSWER_UNITS = 600;
const FILES_NAMED = 8;
const NO_JOURNAL = { pieces: [], notes: [] };

/**
 * What memory has to say, inside a token budget: rules, what is pinned, then what fits the topic, or without one the
 * project's own account, then what was latest.
 */
export async function recall(world: World, request: RecallRequest): Promise<Recall> {
  const budget = request.budget ?? RECALL_BUDGET;
  const files = request.files ?? [];
  const [scope, count] = await Promise.all([recallScope(world, request.project), loadTokenCounter()]);
  const sources = new RecallSources(world, scope);
  const rules = await recallRules(world, scope, request.asOf);
  const pinned = pinnedPieces(sources, request.asOf);
  const query = [request.topic ?? '', ...files.map(asWords)].join(' ').trim();
  const told = new Set([...rules, ...pinned].map(({ text }) => text.trim()));
  const { asOf } = request;
  const asked = { query, files, budget, told, ...(asOf === undefined ? {} : { asOf }) };
  // Small words alone would bring the newest lines, which fit no topic.
  const asks = !asksNothing(parseQuery(query));
  const fitting = asks ? await topicPieces(world, scope, sources, asked) : { pieces: [], notes: [] };
  const missed = query !== '' && fitting.pieces.length === 0;
  const journal = query === '' ? await journalPieces(world, scope, { budget, count, asOf }) : NO_JOURNAL;
  const standing = query === '' ? await memoryPieces(world, scope, { budget, asOf }) : [];
  const said = new Set(fitting.pieces.map((piece) => piece.exchange));
  const latest = await latestPieces(sources, said, asOf);
  const name = scope.project === undefined ? 'all projects' : inLine(scope.project.displayName);
  const title = `# Memory of ${name}\n\nQuoted from earlier sessions; each quote is a record of what was said then.`;
  const packed = pack(
    title,
    [...rules, ...pinned, ...journal.pieces, ...standing, ...fitting.pieces, ...latest],
    budget,
    count,
  );
  return {
    text: packed.text,
    tokens: packed.tokens,
    budget,
    tokenCounter: TOKEN_COUNTER,
    project: scope.project?.projectId ?? null,
    pieces: packed.taken,
    left: packed.left,
    notes: [...journal.notes, ...fitting.notes, ...(missed && packed.text !== '' ? [NOTHING_FITS] : [])],
  };
}

/** A path as words to look for: signs that mean something in a query mean nothing in a name. */
function asWords(path: string): string {
  return path.replace(/["“”«»*]/gu, ' ').replace(/(^|\s)-+/g, '$1');
}

/** Keepits of weight 1.00 that nobody has to confirm first, the newest first, each text once. */
export function pinnedPieces(sources: RecallSources, asOf: string | undefined): RecallPiece[] {
  const seen = new Set<string>();
  const markers = sources.rows.flatMap((row) => row.keepitMarkers.map((marker) => ({ row, marker })));
  return markers
    .filter(({ marker }) => marker.weight === 1 && !marker.held && marker.content.trim() !== '')
    .filter(({ marker }) => asOf === undefined || isBy(marker.createdAt, asOf))
    .sort((a, b) =>
      a.marker.createdAt < b.marker.createdAt ? 1 : a.marker.createdAt > b.marker.createdAt ? -1 : 0,
    )
    .filter(({ marker }) => !seen.has(marker.content.trim()) && seen.add(marker.content.trim()))
    .map(({ row, marker }) =>
      sources.piece({
        kind: 'pinned',
        project: row.projectId,
        sessionId: row.sessionId,
        ts: marker.createdAt,
        who: marker.origin,
        text: marker.content,
        whole: true,
      }),
    );
}

/** The newest exchanges of the newest sessions that are not told already. */
export async function latestPieces(
  sources: RecallSources,
  told: Set<string | undefined>,
  asOf: string | undefined,
  ofEach = LATEST_EXCHANGES,
): Promise<RecallPiece[]> {
  const pieces: RecallPiece[] = [];
  const rows = sources.rows.filter((row) => asOf === undefined || isBy(row.firstTimestamp, asOf));
  for (const row of rows.slice(0, LATEST_SESSIONS)) {
    let left = ofEach;
    for (const exchange of (await sources.exchanges(row)).reverse()) {
      if (pieces.length >= LATEST_EXCHANGES) return pieces;
      if (left === 0) break;
      if (exchange.abandoned || told.has(exchange.id)) continue;
      if (asOf !== undefined && !isBy(exchange.ts, asOf)) continue;
      const text = await gist(sources, row, exchange, asOf);
      if (text === '') continue;
      const { projectId: project, sessionId } = row;
      left--;
      pieces.push(
        sources.piece({ kind: 'latest', project, sessionId, ts: exchange.ts, exchange: exchange.id, text }),
      );
    }
  }
  return pieces;
}

/** An exchange in short: what was asked, what was answered last, which files changed. */
async function gist(
  sources: RecallSources,
  row: SessionRow,
  exchange: Exchange,
  asOf: string | undefined,
): Promise<string> {
  const [first, last] = exchange.l1_range;
  const lines = (await sources.lines(row.projectId, row.sessionId)).slice(first - 1, last);
  const answer = lines.findLast(
    (line) => line.role === 'assistant' && line.text && (asOf === undefined || isBy(line.ts, asOf)),
  );
  const told: string[] = [];
  if (exchange.ask.trim() !== '') told.push(`user: ${shortened(exchange.ask.trim(), ASK_UNITS)}`);
  if (answer?.text) told.push(`assistant: ${shortened(answer.text.trim(), ANSWER_UNITS)}`);
  // Of an exchange that was still going on at that time, the files changed by then are not known.
  const whole = asOf === undefined || lines.every((line) => isBy(line.ts, asOf));
  if (exchange.files.length > 0 && told.length > 0 && whole) {
    const more =
      exchange.files.length > FILES_NAMED ? ` and ${exchange.files.length - FILES_NAMED} more` : '';
    told.push(`changed: ${exchange.files.slice(0, FILES_NAMED).join(', ')}${more}`);
  }
  return told.join('\n');
}
