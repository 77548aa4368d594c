import { pack } from '../../core/search/pack.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { loadTokenCounter, TOKEN_COUNTER } from '../../core/text/tokens.ts';
import { type RecallScope, recallScope } from '../find/scope.ts';
import { unhelpfulLast, unhelpfulSources } from '../search/unhelpful-sources.ts';
import type { World } from '../world.ts';
import { latestPieces, pinnedPieces } from './pieces.ts';
import { recallRules } from './rules.ts';
import { type RecallPiece, RecallSources } from './sources.ts';
import { type TopicRequest, topicPieces } from './topic.ts';
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

/**
 * What memory has to say, inside a token budget: the exchanges that fit a topic; without one rules, what is pinned, the
 * project's own account, then what was latest.
 */
export async function recall(world: World, request: RecallRequest): Promise<Recall> {
  const budget = request.budget ?? RECALL_BUDGET;
  const files = request.files ?? [];
  const [scope, count] = await Promise.all([recallScope(world, request.project), loadTokenCounter()]);
  const sources = await RecallSources.open(world, scope);
  const query = [request.topic ?? '', ...files.map(asWords)].join(' ').trim();
  const { asOf } = request;
  const { pieces, notes } =
    query === ''
      ? await overview(world, scope, sources, { budget, count, asOf })
      : await aboutTopic(world, scope, sources, {
          query,
          files,
          budget,
          count,
          ...(asOf === undefined ? {} : { asOf }),
        });
  const name = scope.name === undefined ? 'all projects' : inLine(scope.name);
  const title = `# Memory of ${name}\n\nQuoted from earlier sessions; each quote is a record of what was said then.`;
  const packed = pack(title, [...updateNotice(sources), ...pieces], budget, count);
  return {
    text: packed.text,
    tokens: packed.tokens,
    budget,
    tokenCounter: TOKEN_COUNTER,
    project: scope.project?.projectId ?? null,
    projectName: scope.name ?? null,
    pieces: packed.included,
    left: packed.left,
    notes,
  };
}

type Pieces = { pieces: RecallPiece[]; notes: string[] };
type Overview = { budget: number; count: (text: string) => number; asOf: string | undefined };

/** Without a topic: rules, what is pinned, the project's own account, then what was latest. */
async function overview(
  world: World,
  scope: RecallScope,
  sources: RecallSources,
  { budget, count, asOf }: Overview,
): Promise<Pieces> {
  const [{ journalPieces }, { memoryPieces }] = await Promise.all([
    import('./journal.ts'),
    import('./memory.ts'),
  ]);
  const rules = await recallRules(world, scope, asOf);
  const pinned = pinnedPieces(sources, asOf);
  const journal = await journalPieces(world, scope, { budget, count, asOf });
  const latest = await latestPieces(sources, { asOf });
  const memory = await memoryPieces(world, scope, sources, { budget, asOf, latest });
  const folders = scope.manifests.map(({ projectId }) => ({ projectId }));
  const pieces = [...rules, ...pinned, ...journal.pieces, ...memory, ...latest];
  return { pieces: unhelpfulLast(pieces, await unhelpfulSources(world, folders)), notes: journal.notes };
}

/** What fits a topic; then, of one project, what holds whatever the topic. Nothing at all where nothing fits. */
async function aboutTopic(
  world: World,
  scope: RecallScope,
  sources: RecallSources,
  request: TopicRequest,
): Promise<Pieces> {
  const { pieces, notes } = await topicPieces(world, scope, sources, request);
  if (pieces.length === 0 || scope.project === undefined) return { pieces, notes };
  const said = new Set(pieces.map(({ text }) => text.trim()));
  const rules = await recallRules(world, scope, request.asOf);
  const always = [...rules, ...pinnedPieces(sources, request.asOf)];
  return { pieces: [...pieces, ...always.filter(({ text }) => !said.has(text.trim()))], notes };
}

/** A path as words to look for: signs that mean something in a query mean nothing in a name. */
function asWords(path: string): string {
  return path.replace(/["“”«»*]/gu, ' ').replace(/(^|\s)-+/g, '$1');
}
