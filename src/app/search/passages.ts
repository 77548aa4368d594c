import { fillPassages } from '../../core/passages/fill.ts';
import type { PassageExchange, WantedWord } from '../../core/passages/passage.ts';
import { passageText } from '../../core/passages/render.ts';
import {
  type ChosenPassage,
  type ScoredExchange,
  type ScoredSentence,
  scoreSentences,
} from '../../core/passages/score-sentences.ts';
import { withSecondOpinion } from '../../core/passages/second-opinion.ts';
import { passageWords, type RankedPassage, rankPassages } from '../../core/search/rank-passages.ts';
import { rarityAmong } from '../../core/search/term-rarity.ts';
import { estimateTokens } from '../../core/text/estimate-tokens.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import type { World } from '../world.ts';
import { exchangeTurns } from './exchange-turns.ts';
import type { Scope } from './filters.ts';
import type { PassageWords } from './hits.ts';
import { placeOfStatement, statementTurn, VerdictReader } from './session-verdicts.ts';
import { UNHELPFUL, UNHELPFUL_CHANCE, unhelpfulAmong } from './unhelpful-sources.ts';

/** Exchanges whose text is read. */
const READ = 40;
/** Tokens of the line that says where a passage is from. */
const HEADING = 24;
/** The chance of a sentence of the repository that one is in, beside that of another. */
const HERE_CHANCE = 2;
/** How far an estimate is trusted to be off. */
const MOST_OFF = 1.25;

/** An exchange with the sentences that answer. */
export type FoundPassage = {
  /** The line of the index that the best sentence is of. */
  line: number;
  row: SourceRow;
  score: number;
  /** Share of what was asked that it holds, by how rare the words are. */
  coverage: number;
  text: string;
  said: PassageWords[];
};

export type PassagesRequest = {
  /** As it was asked. */
  text: string;
  terms: string[];
  limit: number;
  tokens: number;
  /** Folders of the repository that one is in. */
  here?: readonly string[];
  /** Counts more closely than the estimate does. */
  count?: (text: string) => number;
};

/** Exchanges that answer, best first, their sentences chosen for all tokens together. */
export async function findPassages(
  world: World,
  view: IndexView,
  scope: Scope,
  { text, terms, limit, tokens, here = [], count }: PassagesRequest,
): Promise<FoundPassage[]> {
  const { read, words } = await readPassages(world, view, scope, { terms, limit });
  const found = new Map(read.map((it) => [it.exchange, it]));
  const byWords = scoreSentences([...found.keys()], { words, question: text });
  const { scored: helped, lowered } = await withPreferences(world, view, byWords, { found, here });
  const scored = (await reranked(world, helped, text)).slice(0, limit);
  const filledIn = filled(scored, tokens, count);
  const isLast = ({ of }: ChosenPassage) => lowered.has(of.exchange);
  const chosen = [...filledIn.filter((it) => !isLast(it)), ...filledIn.filter(isLast)];
  const top = scored.reduce((most, { score }) => Math.max(most, score), 0) || 1;
  return chosen.map((passage) => {
    const { row, lines } = found.get(passage.of.exchange)!;
    return {
      line: lines[bestTurn(passage.of)] ?? lines[0]!,
      row,
      score: (passage.of.score / top) * (isLast(passage) ? UNHELPFUL : 1),
      coverage: passage.of.coverage,
      text: passageText(passage),
      said: passageWordsOf(passage),
    };
  });
}

/** What is of this repository counts more; what did not help in its project before comes after the rest, with fewer of its words. */
async function withPreferences(
  world: World,
  view: IndexView,
  scored: ScoredExchange[],
  { found, here }: { found: ReadonlyMap<PassageExchange, ReadExchange>; here: readonly string[] },
): Promise<{ scored: ScoredExchange[]; lowered: ReadonlySet<PassageExchange> }> {
  const read = scored.map(({ exchange }) => found.get(exchange)!);
  const rows = new Map(read.map(({ row }) => [row.id, row]));
  const numbers = read.map(({ lines }) => view.exchange[lines[0]!]!);
  const unhelpful = await unhelpfulAmong(world, view, numbers, (source) => rows.get(source));
  const near = new Set(here);
  const factors = read.map(
    ({ row }, at) => (unhelpful[at] ? UNHELPFUL_CHANCE : 1) * (near.has(row.project) ? HERE_CHANCE : 1),
  );
  return {
    scored: factors.every((factor) => factor === factors[0]) ? scored : withSecondOpinion(scored, factors),
    lowered: new Set(read.filter((_, at) => unhelpful[at]).map(({ exchange }) => exchange)),
  };
}

async function reranked(
  { secondRanker }: World,
  scored: ScoredExchange[],
  question: string,
): Promise<ScoredExchange[]> {
  if (!secondRanker) return scored;
  const texts = scored.map(({ exchange }) => exchange.turns.map(({ text }) => text).join('\n'));
  return withSecondOpinion(scored, await secondRanker.factors(question, texts));
}

/** Exchanges that may answer, with all that was said in them, and the words that are looked for. */
export async function readPassages(
  world: World,
  view: IndexView,
  scope: Scope,
  { terms, limit }: Pick<PassagesRequest, 'terms' | 'limit'>,
): Promise<{ read: ReadExchange[]; words: WantedWord[] }> {
  const words = passageWords(terms);
  const ranked = rankPassages(view, words, scope, Math.max(READ, limit));
  const reader = new PassageReader(world, view, scope);
  const read = await Promise.all(ranked.map((one) => reader.read(one)));
  return {
    read: read.filter((it) => it !== undefined),
    words: weighedWords(words, rarityAmong(view, scope)),
  };
}

/** An estimate may be a tenth off: what it chose is counted once, and the budget then chosen for is what the estimate says of it. */
export function filled(
  scored: ScoredExchange[],
  tokens: number,
  count?: (text: string) => number,
): ChosenPassage[] {
  // Both times the same sentences are weighed.
  const costs = new Map<ScoredSentence, number>();
  const fill = (budget: number) =>
    fillPassages(scored, { budget, count: estimateTokens, heading: HEADING, costs });
  const chosen = fill(tokens);
  if (!count || chosen.length === 0) return chosen;
  const text = chosen.map(passageText).join('\n');
  const off = count(text) / Math.max(1, estimateTokens(text));
  return fill(Math.floor(tokens / Math.min(MOST_OFF, Math.max(1 / MOST_OFF, off))));
}

/** Each sentence with speaker, time and place; withdrawn ones with the words that did it. */
function passageWordsOf({ of, chosen }: ChosenPassage): PassageWords[] {
  return chosen.map(({ turn, text, verdict }) => {
    const { speaker, ts, src } = of.exchange.turns[turn]!;
    return { speaker, ts, src, text, ...(verdict === undefined ? {} : { verdict }) };
  });
}

function bestTurn({ sentences }: ScoredExchange): number {
  const [first] = [...sentences].sort((a, b) => b.chance - a.chance);
  return first?.turn ?? 0;
}

/** Terms weighed by how rare they are among the turns that may be found. */
export function weighedWords(
  words: ReturnType<typeof passageWords>,
  rarityOf: (term: string) => number,
): WantedWord[] {
  return words.map((word) => word.map(({ term, weight }) => ({ term, weight: weight * rarityOf(term) })));
}

/** `first` is the place of its first line in the original. */
export type ReadExchange = { exchange: PassageExchange; row: SourceRow; lines: number[]; first: number };

/** Exchanges with what their sessions say of them at their end; each session's statements are read once. */
export class PassageReader {
  readonly #world: World;
  readonly #view: IndexView;
  readonly #scope: Pick<Scope, 'sources'>;
  readonly #verdicts: VerdictReader;

  constructor(world: World, view: IndexView, scope: Pick<Scope, 'sources'>) {
    this.#world = world;
    this.#view = view;
    this.#scope = scope;
    this.#verdicts = new VerdictReader(world);
  }

  async read({ exchange, score, lines }: RankedPassage): Promise<ReadExchange | undefined> {
    const row = this.#scope.sources.get(this.#view.source[exchange]!);
    if (!row) return undefined;
    const read = await exchangeTurns(this.#world, this.#view, row, lines);
    if (read.length === 0) return undefined;
    const asks = read[0]?.turn.kind === 'user';
    const { statements, ...spoken } = await this.#verdicts.of(row);
    const lineAt = new Map(read.map(({ turn, line }) => [turn.src, line]));
    // Of a long session most statements are of other exchanges.
    const stated = statements.filter((it) => lineAt.has(placeOfStatement(it))).map(statementTurn);
    return {
      exchange: { score, asks, turns: [...read.map(({ turn }) => turn), ...stated], ...spoken },
      row,
      lines: [...read.map(({ line }) => line), ...stated.map(({ src }) => lineAt.get(src)!)],
      first: this.#view.places(lines.slice(0, 1))[0]?.src ?? 0,
    };
  }
}
