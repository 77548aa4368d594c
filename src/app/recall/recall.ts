import { pack } from '../../core/search/pack.ts';
import { asksNothing, parseQuery } from '../../core/search/query.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { loadTokenCounter, TOKEN_COUNTER } from '../../core/text/tokens.ts';
import { recallScope } from '../find/scope.ts';
import type { World } from '../world.ts';
import { journalPieces } from './journal.ts';
import { memoryPieces } from './memory.ts';
import { latestPieces, pinnedPieces } from './pieces.ts';
import { recallRules } from './rules.ts';
import { type RecallPiece, RecallSources } from './sources.ts';
import { topicPieces } from './topic.ts';
import { updateNotice } from './update-notice.ts';

export type RecallRequest = {
  topic?: string;
  /** Tokens. */
  budget?: number;
  files?: string[];
  /** A UTC day or moment: nothing later is included. */
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
  /** Its name; null when all were asked. */
  projectName: string | null;
  pieces: RecallPiece[];
  /** What was known besides, but had no room. */
  left: number;
  notes: string[];
};

export const RECALL_BUDGET = 2000;
const NOTHING_FITS = 'Nothing that is remembered fits this; what follows is remembered whatever the topic.';
const NO_JOURNAL = { pieces: [], notes: [] };

/**
 * What memory has to say, inside a token budget: rules, what is pinned, then what fits the topic, or without one the
 * project's own account, then what was latest.
 */
export async function recall(world: World, request: RecallRequest): Promise<Recall> {
  const budget = request.budget ?? RECALL_BUDGET;
  const files = request.files ?? [];
  const [scope, count] = await Promise.all([recallScope(world, request.project), loadTokenCounter()]);
  const sources = await RecallSources.open(world, scope);
  const rules = await recallRules(world, scope, request.asOf);
  const pinned = pinnedPieces(sources, request.asOf);
  const query = [request.topic ?? '', ...files.map(asWords)].join(' ').trim();
  const shown = new Set([...rules, ...pinned].map(({ text }) => text.trim()));
  const { asOf } = request;
  const asked = { query, files, budget, shown, ...(asOf === undefined ? {} : { asOf }) };
  // Small words alone would bring the newest lines, which fit no topic.
  const asks = !asksNothing(parseQuery(query));
  const fitting = asks ? await topicPieces(world, scope, sources, asked) : { pieces: [], notes: [] };
  const missed = query !== '' && fitting.pieces.length === 0;
  const journal = query === '' ? await journalPieces(world, scope, { budget, count, asOf }) : NO_JOURNAL;
  const exchanges = new Set(fitting.pieces.map((piece) => piece.exchange));
  const latest = await latestPieces(sources, exchanges, asOf);
  const memory = query === '' ? await memoryPieces(world, scope, sources, { budget, asOf, latest }) : [];
  const name = scope.name === undefined ? 'all projects' : inLine(scope.name);
  const title = `# Memory of ${name}\n\nQuoted from earlier sessions; each quote is a record of what was said then.`;
  const packed = pack(
    title,
    [
      ...updateNotice(sources),
      ...rules,
      ...pinned,
      ...journal.pieces,
      ...memory,
      ...fitting.pieces,
      ...latest,
    ],
    budget,
    count,
  );
  return {
    text: packed.text,
    tokens: packed.tokens,
    budget,
    tokenCounter: TOKEN_COUNTER,
    project: scope.project?.projectId ?? null,
    projectName: scope.name ?? null,
    pieces: packed.included,
    left: packed.left,
    notes: [...journal.notes, ...fitting.notes, ...(missed && packed.text !== '' ? [NOTHING_FITS] : [])],
  };
}

/** A path as words to look for: signs that mean something in a query mean nothing in a name. */
function asWords(path: string): string {
  return path.replace(/["“”«»*]/gu, ' ').replace(/(^|\s)-+/g, '$1');
}
