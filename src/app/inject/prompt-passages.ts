import { EVIDENCE } from '../../core/inject/evidence.ts';
import { offerText } from '../../core/inject/offer.ts';
import { isName, type PromptKind, promptKind } from '../../core/inject/prompt-kind.ts';
import { shortHash } from '../../core/model/ids.ts';
import { ROLE } from '../../core/model/search.ts';
import { fillPassages } from '../../core/passages/fill.ts';
import type { WantedWord } from '../../core/passages/passage.ts';
import { passageText } from '../../core/passages/render.ts';
import { type ScoredExchange, scoreSentences } from '../../core/passages/score-sentences.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { passageWords, type RankedPassage, rankPassages } from '../../core/search/rank-passages.ts';
import { inLine } from '../../core/search/recall-text.ts';
import type { LineScope } from '../../core/search/scope.ts';
import { estimateTokens } from '../../core/text/estimate-tokens.ts';
import { termsOf } from '../../core/text/terms.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import { PassageReader, type ReadExchange, weighedWords } from '../search/passages.ts';
import type { HookSession } from '../sync/running-session.ts';
import type { World } from '../world.ts';
import { type PromptNames, worthQuoting } from './worth-quoting.ts';

/** Exchanges that are ranked, among all projects, and those that are read. */
const RANKED = 200;
const READ = 8;
const HEADING = 30;

export type PromptPiece = PackedPiece & { sessionId: string; exchange: string };
/** Passages, and a line that says how to get more. */
export type PromptPassages = { pieces: PromptPiece[]; offer: string };
const SILENT: PromptPassages = { pieces: [], offer: '' };

/** Sessions that may be quoted, by their numbers in the index. */
export type OpenSources = Pick<Map<number, SourceRow>, 'size' | 'has' | 'get' | 'values'>;

export type PromptScope = {
  prompt: string;
  /** Terms of the prompt, those that memory does not know included. */
  terms: string[];
  /** Sessions of this project that may be quoted. */
  sources: OpenSources;
  /** Sources of this project, whoever's and whether or not they may be quoted. */
  isOwn: (source: number) => boolean;
  tokens: number;
};

/** What earlier sessions of the project say to a prompt: where the evidence is strong, or a name is rare. Silent otherwise. */
export async function promptPassages(
  world: World,
  view: IndexView,
  state: HookSession,
  scope: PromptScope,
): Promise<PromptPassages> {
  const { prompt, terms, sources, isOwn } = scope;
  const kind = promptKind(prompt);
  const names = kind === 'do' ? namesIn(view, prompt, scope) : undefined;
  if (names && (names.rare.length === 0 || names.rare.length < EVIDENCE.names * names.all)) return SILENT;
  const words = passageWords(terms);
  const { source } = view;
  const searched = scopeOf(view, (id) => sources.has(id) || !isOwn(id));
  const ranked = rankPassages(view, words, searched, RANKED);
  const own = ranked.filter(({ exchange }) => sources.has(source[exchange]!));
  if (own.length === 0) return SILENT;
  if (!names && !isOfThisProject(ranked, own)) return SILENT;
  const hints = { files: new Map(), branch: new Map(), words: [] };
  const open = { ...scopeOf(view, (id) => sources.has(id)), sources, hints };
  const reader = new PassageReader(world, view, open);
  const read = await readOwn(reader, own.slice(0, READ), state);
  const wanted = weighedWords(view, words, open);
  const scored = scoreSentences(
    read.map((it) => it.exchange),
    { words: wanted, question: prompt },
  );
  const kept = names ? byNames(scored, names, terms) : byEvidence(scored, wanted, kind);
  const budget = Math.min(scope.tokens, names ? EVIDENCE.nameTokens : scope.tokens);
  const filled = fillPassages(kept.passages, {
    budget: budget - HEADING,
    count: estimateTokens,
    heading: HEADING,
  });
  const rows = new Map(read.map((it) => [it.exchange, it]));
  const shown = worthQuoting(filled, { prompt, kind, wanted, names });
  const near = names && shown.length === 0 ? kept.passages : kept.near;
  const offer = near.length === 0 ? '' : offerText(prompt, near.length, weightIn(wanted, scored));
  return {
    pieces: shown.map((passage) => pieceOf(world, rows.get(passage.of.exchange)!, passageText(passage))),
    offer,
  };
}

/** Lines of sources that are in it. Sources alone decide: they are asked once, not for each line. */
function scopeOf(view: IndexView, isIn: (source: number) => boolean): LineScope {
  const { role, exchange, source, sourceCount } = view;
  const sources = new Uint8Array(sourceCount);
  for (let id = 0; id < sourceCount; id++) if (isIn(id)) sources[id] = 1;
  return {
    accept: (line) => role[line]! < ROLE.document && sources[source[exchange[line]!]!] === 1,
    plain: { sources },
  };
}

/** Words that fit another project better are not about this one. */
function isOfThisProject(ranked: RankedPassage[], own: RankedPassage[]): boolean {
  const known = new Set(own);
  const other = ranked.find((one) => !known.has(one));
  return other === undefined || own[0]!.score >= EVIDENCE.project * other.score;
}

async function readOwn(
  reader: PassageReader,
  ranked: RankedPassage[],
  { session, compacted = 0 }: HookSession,
): Promise<ReadExchange[]> {
  const read = await Promise.all(ranked.map((one) => reader.read(one)));
  return read.filter(
    (it) =>
      it !== undefined && (it.row.name !== session || it.exchange.turns.every(({ src }) => src < compacted)),
  ) as ReadExchange[];
}

type Chosen = { passages: ScoredExchange[]; near: ScoredExchange[] };

/** A question about what is at hand gets an offer at most; what is asked about the past, whatever fits. */
function byEvidence(scored: ScoredExchange[], wanted: WantedWord[], kind: PromptKind): Chosen {
  const best = scored.reduce<ScoredExchange | undefined>(
    (most, one) => (most && most.score >= one.score ? most : one),
    undefined,
  );
  if (!best) return { passages: [], near: [] };
  const near = scored.filter(({ score }) => score >= EVIDENCE.near * best.score).slice(0, EVIDENCE.most);
  const fits = best.coverage >= EVIDENCE.offer;
  if (kind === 'ask-past' && best.coverage >= EVIDENCE.past)
    return { passages: scored.slice(0, EVIDENCE.mostOfPast), near };
  const passages = kind === 'ask' ? near.filter((one) => isStrong(one, wanted)) : [];
  return { passages, near: fits ? near : [] };
}

/** Most of what is asked is in one turn, as it was asked, and that is more than common words. */
function isStrong({ exchange, sentences }: ScoredExchange, wanted: WantedWord[]): boolean {
  const own = wanted.flatMap((word) => word.slice(0, 1));
  const all = own.reduce((sum, { weight }) => sum + weight, 0);
  return exchange.turns.some((_, turn) => {
    const held = new Set(sentences.filter((it) => it.turn === turn).flatMap(({ terms }) => terms));
    const weights = own.flatMap(({ term, weight }) => (held.has(term) ? [weight] : []));
    const mass = weights.reduce((sum, weight) => sum + weight, 0);
    const isRare = weights.some((weight) => weight >= EVIDENCE.rareWord);
    return isRare && mass >= Math.max(EVIDENCE.mass, EVIDENCE.share * all);
  });
}

/** Names in the prompt: those few exchanges have, and how many there are with those that memory never saw. */
function namesIn(
  view: IndexView,
  prompt: string,
  { terms: known, sources }: Pick<PromptScope, 'terms' | 'sources'>,
): PromptNames {
  const own = ownExchanges(view, sources);
  const size = own.reduce((sum, is) => sum + is, 0);
  const most = Math.max(3, EVIDENCE.rareName * size);
  const all = [...new Set(termsOf(prompt.slice(0, EVIDENCE.longestPrompt)))].filter(isName);
  const exchangesOf = (term: string) => {
    const found = new Set<number>();
    for (const line of view.postings(term).lines) {
      const exchange = view.exchange[line]!;
      if (own[exchange] === 1) found.add(exchange);
    }
    return found.size;
  };
  const held = new Map(all.map((name) => [name, exchangesOf(name)]));
  const rare = all.filter((name) => known.includes(name) && held.get(name)! > 0 && held.get(name)! <= most);
  return { rare, all: rare.length + all.filter((name) => held.get(name) === 0).length };
}

/** 1 where an exchange is of an open session. */
function ownExchanges({ source, sourceCount }: IndexView, sources: OpenSources): Uint8Array {
  const open = new Uint8Array(sourceCount);
  for (let id = 0; id < sourceCount; id++) if (sources.has(id)) open[id] = 1;
  const own = new Uint8Array(source.length);
  for (let exchange = 0; exchange < own.length; exchange++) own[exchange] = open[source[exchange]!]!;
  return own;
}

/** Exchanges whose ask and best sentences have the prompt's names. */
function byNames(scored: ScoredExchange[], { rare, all }: PromptNames, known: string[]): Chosen {
  const passages = scored.filter(({ exchange, sentences }) => {
    const shown = [...sentences].sort((a, b) => b.fit - a.fit).slice(0, EVIDENCE.shown);
    const ask = exchange.asks ? sentences.filter(({ turn }) => turn === 0) : [];
    const held = new Set([...ask, ...shown].flatMap(({ terms }) => terms));
    const names = rare.filter((name) => held.has(name)).length;
    const words = known.filter((term) => held.has(term)).length;
    return (
      names >= EVIDENCE.names * all &&
      ((names > 1 && words >= 2) || (names > 0 && words >= EVIDENCE.wordsWithName))
    );
  });
  return { passages: passages.slice(0, EVIDENCE.mostByName), near: [] };
}

/** Only words that this project's exchanges have: an offer repeats nothing that memory does not know. */
function weightIn(wanted: WantedWord[], scored: ScoredExchange[]): (term: string) => number {
  const held = new Set(scored.flatMap(({ sentences }) => sentences.flatMap(({ terms }) => terms)));
  const own = wanted.flatMap((word) => word.slice(0, 1)).filter(({ term }) => held.has(term));
  const weights = new Map(own.map(({ term, weight }) => [term, weight]));
  return (term) => weights.get(term) ?? 0;
}

function pieceOf(world: World, { row, first, exchange }: ReadExchange, text: string): PromptPiece {
  const id = `ex_${shortHash(`${row.name}:${first}`, 12)}`;
  const title = row.title === '' ? [] : [`"${inLine(row.title)}"`];
  const when = world.clock.local(exchange.turns[0]?.ts ?? '');
  return {
    section: 'What fits',
    source: [`session ${row.name.slice(0, 8)}`, when, id, ...title].join(', '),
    text,
    sessionId: row.name,
    exchange: id,
  };
}
