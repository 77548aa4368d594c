import { canSpeakOf } from '../../core/inject/can-speak.ts';
import { EVIDENCE } from '../../core/inject/evidence.ts';
import { offerText } from '../../core/inject/offer.ts';
import { isOneSession, type SessionAgreement, sessionAgreement } from '../../core/inject/one-session.ts';
import type { PromptKind } from '../../core/inject/prompt-kind.ts';
import type { PromptNames } from '../../core/inject/prompt-names.ts';
import { sessionLabel } from '../../core/inject/session-label.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { fillPassages } from '../../core/passages/fill.ts';
import type { WantedWord } from '../../core/passages/passage.ts';
import { passageText } from '../../core/passages/render.ts';
import { chanceOf, type ScoredExchange, scoreSentences } from '../../core/passages/score-sentences.ts';
import { ownWeights } from '../../core/passages/shown-evidence.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { passageWords, type RankedPassage, rankPassages } from '../../core/search/rank-passages.ts';
import { inLine } from '../../core/search/recall-text.ts';
import { scopeOfSources } from '../../core/search/scope.ts';
import { estimateTokens } from '../../core/text/estimate-tokens.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import { repositoryOf } from '../repository/repositories.ts';
import { PassageReader, type ReadExchange, weighedWords } from '../search/passages.ts';
import type { HookSession } from '../sync/running-session.ts';
import type { World } from '../world.ts';
import { worthQuoting } from './worth-quoting.ts';

/** Exchanges that are ranked, among all projects. */
const RANKED = 200;
/** Tokens of the title of what a hook says, and of the line that says where a passage is from. */
const TITLE = 50;
const HEADING = 50;
/** Exchanges behind an offer that are noted with it. */
const OFFERED = 3;

export type PromptPiece = PackedPiece & { sessionId: string; exchange: string; words: string[] };
/** Passages, and a line that says how to get more, with the exchanges that it speaks of. */
export type PromptPassages = {
  pieces: PromptPiece[];
  offer: string;
  offered: Pick<PromptPiece, 'sessionId' | 'exchange'>[];
};
const SILENT: PromptPassages = { pieces: [], offer: '', offered: [] };

/** Sessions that may be quoted, by their numbers in the index. */
export type OpenSources = Pick<Map<number, SourceRow>, 'size' | 'has' | 'get' | 'values'> & { ids: number[] };

export type PromptScope = {
  project: ProjectId;
  prompt: string;
  /** In the middle of a session: whether the prompt recalls something earlier. Undefined: it opens the session. */
  recalls: boolean | undefined;
  /** Terms of the prompt, those that memory does not know included. */
  terms: string[];
  /** Sessions of this project that may be quoted. */
  sources: OpenSources;
  /** How rare a term is in them. */
  rarityOf: (term: string) => number;
  /** Sources of this project, of any author and whether or not they may be quoted. */
  isOwn: (source: number) => boolean;
  tokens: number;
  kind: PromptKind;
  names: PromptNames;
  /** Of the prompt's names enough are rare ones that memory knows. */
  isNamed: boolean;
};

/** What earlier sessions of the project say to a prompt: where the evidence is strong, or a name is rare. Silent otherwise. */
export async function promptPassages(
  world: World,
  view: IndexView,
  state: HookSession,
  scope: PromptScope,
): Promise<PromptPassages> {
  const { prompt, recalls, terms, sources, isOwn, kind, names, isNamed, rarityOf } = scope;
  const isWork = kind === 'do';
  const words = passageWords(terms);
  const { source } = view;
  const ranked = rankPassages(
    view,
    words,
    scopeOfSources(view, (id) => sources.has(id) || !isOwn(id)),
    RANKED,
  );
  const own = ranked.filter(({ exchange }) => sources.has(source[exchange]!));
  if (own.length === 0) return SILENT;
  const beside = besideOthers(ranked, own);
  if (beside < (isWork ? (isNamed ? 0 : EVIDENCE.workProject) : EVIDENCE.project)) return SILENT;
  const reader = new PassageReader(world, view, { sources });
  const read = await readOwn(reader, own.slice(0, EVIDENCE.read), state);
  const wanted = weighedWords(words, rarityOf);
  const weights = ownWeights(wanted);
  const scored = scoreSentences(
    read.map((it) => it.exchange),
    {
      words: wanted,
      question: prompt,
      mayHelp: (held) => canSpeakOf(held, { kind, recalls, names }, weights),
    },
  );
  if (scored.length === 0) return SILENT;
  const rows = new Map(read.map((it) => [it.exchange, it]));
  const opens = recalls === undefined && (kind === 'ask' || kind === 'ask-past');
  const sessionOf = ({ exchange }: ScoredExchange) => rows.get(exchange)!.row.id;
  const best = ofOneSession(
    scored,
    sessionOf,
    own.map(({ exchange, score }) => ({ session: source[exchange]!, score })),
  );
  const agreed = opens && sources.size >= EVIDENCE.oneSession.sessions ? best.exchanges : undefined;
  const looked = agreed ?? scored.slice(0, isWork || kind === 'ask-here' ? EVIDENCE.looked : EVIDENCE.ofPast);
  const filled = fillPassages(looked, {
    budget: scope.tokens - TITLE - EVIDENCE.offerTokens,
    count: estimateTokens,
    heading: HEADING,
  });
  const fitting = worthQuoting(filled, {
    ...{ prompt, kind, recalls, wanted, names, beside, rarityOf },
    ...(agreed ? { agreed: agreed.length > 0 } : {}),
    aheadOf: (one) => (sessionOf(one) === sessionOf(scored[0]!) ? best.agreement.ahead : 0),
  });
  const shown = fitting.quoted;
  const quoted = new Set(shown.map(({ passage }) => passage.of));
  // A question that opens a session is a question to memory, if other projects fit it less; everything else needs evidence.
  const opensHere = kind === 'ask-here' && recalls === undefined && beside >= EVIDENCE.askProject;
  const toMemory = (opens || opensHere) && Number.isFinite(beside);
  const mayBe = toMemory ? scored : fitting.near.map(({ of }) => of);
  const left = mayBe.filter((one) => !quoted.has(one));
  const near = toMemory ? nearBest(left) : left;
  const offer =
    near.length > 0 && !(isWork && shown.length > 0)
      ? offerText(
          prompt,
          {
            exchanges: near.length,
            weightOf: weightIn(wanted, scored),
            projectName: (await repositoryOf(world, scope.project)).name,
          },
          await tokenCounter(),
        )
      : '';
  return {
    pieces: shown.map(({ passage, words }) => ({
      ...pieceOf(world, rows.get(passage.of.exchange)!, passageText(passage)),
      words,
    })),
    offer,
    offered: offer !== '' ? near.slice(0, OFFERED).map(({ exchange }) => placeOf(rows.get(exchange)!)) : [],
  };
}

/** The best exchanges of the session that the best one is of, where what may answer is of it; none otherwise. */
export function ofOneSession(
  scored: ScoredExchange[],
  sessionOf: (one: ScoredExchange) => number,
  ranked: readonly { session: number; score: number }[],
): { exchanges: ScoredExchange[]; agreement: SessionAgreement } {
  const looked = scored.map((one) => ({
    session: sessionOf(one),
    score: one.exchange.score,
    chance: chanceOf(one),
  }));
  const agreement = sessionAgreement(looked, ranked);
  const same = scored.filter((_, at) => looked[at]!.session === looked[0]!.session);
  return { exchanges: isOneSession(agreement) ? same.slice(0, EVIDENCE.quoted) : [], agreement };
}

/** How much better the prompt fits this project than any other: below 1 it is about another one. */
function besideOthers(ranked: RankedPassage[], own: RankedPassage[]): number {
  const known = new Set(own);
  const other = ranked.find((one) => !known.has(one));
  return other === undefined ? Number.POSITIVE_INFINITY : own[0]!.score / other.score;
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

/** The best exchanges, if they match enough of a question for an offer. */
function nearBest(scored: ScoredExchange[]): ScoredExchange[] {
  const best = scored.reduce<ScoredExchange | undefined>(
    (most, one) => (most && most.score >= one.score ? most : one),
    undefined,
  );
  if (!best || best.coverage < EVIDENCE.offer) return [];
  return scored.filter(({ score }) => score >= EVIDENCE.nearBest * best.score).slice(0, EVIDENCE.most);
}

/** Only words that this project's exchanges have: an offer repeats nothing that memory does not know. */
function weightIn(wanted: WantedWord[], scored: ScoredExchange[]): (term: string) => number {
  const words = wanted.flatMap((word) => word.slice(0, 1));
  const own = words.filter(({ term }) => scored.some(({ held }) => held.has(term)));
  const weights = new Map(own.map(({ term, weight }) => [term, weight]));
  return (term) => weights.get(term) ?? 0;
}

function pieceOf(
  world: World,
  { row, first, exchange }: ReadExchange,
  text: string,
): Omit<PromptPiece, 'words'> {
  const { exchange: id, sessionId } = placeOf({ row, first });
  const title = row.title === '' ? [] : [`"${inLine(row.title)}"`];
  const when = world.clock.local(exchange.turns[0]?.ts ?? '');
  return {
    section: 'Matching passages',
    source: [`session ${sessionLabel(row.name)}`, when, id, ...title].join(', '),
    text,
    sessionId,
    exchange: id,
  };
}

function placeOf({
  row,
  first,
}: Pick<ReadExchange, 'row' | 'first'>): Pick<PromptPiece, 'sessionId' | 'exchange'> {
  return { sessionId: row.name, exchange: `ex_${shortHash(`${row.name}:${first}`, 12)}` };
}

/** Few prompts get an offer: the others need not load it. */
async function tokenCounter(): Promise<TokenCounter> {
  const { loadTokenCounter } = await import('../../core/text/tokens.ts');
  return loadTokenCounter();
}
