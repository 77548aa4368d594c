import { ROLE } from '../model/search.ts';
import { best, type Scores } from './bm25.ts';
import type { WantedTerm } from './look-up.ts';
import { relatedTerms } from './related-words.ts';
import type { LineScope } from './scope.ts';
import { putBack, zeros } from './scratch.ts';
import { isShaping, tradeTerms } from './trade-words.ts';
import { type Grain, unitScores } from './unit-scores.ts';
import type { SearchView } from './view.ts';
import { SEARCH_WEIGHTS } from './weights.ts';

const W = SEARCH_WEIGHTS.passage;
const WORTH: readonly number[] = Object.assign([1, 1, 1, 1], {
  [ROLE.user]: SEARCH_WEIGHTS.saidByUser,
  [ROLE.tool]: SEARCH_WEIGHTS.saidByTool,
  [ROLE.other]: SEARCH_WEIGHTS.ofSummary,
});
const EXCHANGE: Grain = { unit: 'exchange', bm25: SEARCH_WEIGHTS.exchange, worth: WORTH };
const SOURCE: Grain = { unit: 'source', bm25: SEARCH_WEIGHTS.session, worth: WORTH };
const LINE: Grain = { unit: 'line', bm25: SEARCH_WEIGHTS.line, worth: [1, 1, 1, 1] };
/** Number of exchanges whose sessions are examined closely. */
const LOOKED_AT = 120;

/** An exchange that may answer: its lines in order, and how well it fits. */
export type RankedPassage = { exchange: number; score: number; lines: number[] };

/** A term that is looked for, with what a hit of it is worth; those of one word together. */
export type PassageWord = { term: string; weight: number }[];

/** Terms of a question, each with those by which it may be answered. */
export function passageWords(terms: readonly string[]): PassageWord[] {
  const known = new Set(terms);
  return [...known].map((term) => {
    const shape = isShaping(term);
    const own = shape ? W.shapingWord : 1;
    const others = new Map<string, number>();
    for (const other of relatedTerms(term)) others.set(other, SEARCH_WEIGHTS.related * own);
    for (const other of tradeTerms(term))
      others.set(other, Math.max(others.get(other) ?? 0, W.tradeWord * (shape ? W.tradeOfShaping : 1)));
    const more = [...others].filter(([other]) => !known.has(other));
    return [{ term, weight: own }, ...more.map(([other, weight]) => ({ term: other, weight }))];
  });
}

/** Exchanges that may answer a question, best first. */
export function rankPassages(
  view: SearchView,
  words: PassageWord[],
  scope: LineScope,
  limit: number,
): RankedPassage[] {
  const wanted: WantedTerm[] = words.map((word) =>
    word.map(({ term, weight }) => ({ ...view.postings(term), weight })),
  );
  const all = unitScores(view, wanted, scope, [EXCHANGE, SOURCE, LINE]);
  const [exchanges, sources, lines] = all as [Scores, Scores, Scores];
  const looked = [...new Set(best(exchanges, LOOKED_AT).map((exchange) => view.source[exchange]!))];
  const features = featuresOf(view, looked, scope, lines.score);
  const score = zeros(view, view.source.length);
  const touched = new Uint32Array(features.size);
  const scale = PARTS.map((part) => scaleOf(features[part]));
  for (let at = 0; at < features.size; at++) {
    const exchange = features.exchange[at]!;
    let sum = W.exchange * exchanges.score[exchange]! + W.session * sources.score[view.source[exchange]!]!;
    for (let n = 0; n < PARTS.length; n++) {
      const part = PARTS[n]!;
      sum += W[part] * features[part][at]! * scale[n]!;
    }
    score[exchange] = sum;
    touched[at] = exchange;
  }
  const fitting = { score, touched: touched.filter((exchange) => score[exchange]! > 0) };
  const places = new Map(features.exchange.map((exchange, at) => [exchange, at]));
  const ranked = best(fitting, limit).map((exchange) => {
    const at = places.get(exchange)!;
    const own = features.lines.slice(features.first[at]!, features.first[at + 1]);
    return { exchange, score: score[exchange]!, lines: own };
  });
  for (const scores of [...all, { score, touched }]) putBack(view, scores);
  return ranked;
}

/** Scores of lines that speak for an exchange: its best turn, best words of the user, last answer, another, and the answer before it. */
const PARTS = ['bestTurn', 'userTurn', 'lastTurn', 'otherTurn', 'turnBefore'] as const;

/** Of exchanges, as columns. `first`: where the lines of each begin in `lines`, and where the last of them end. */
type Features = Record<(typeof PARTS)[number], number[]> & {
  exchange: number[];
  first: number[];
  lines: number[];
  size: number;
};

/** Of the exchanges of these sessions, in order. */
function featuresOf(view: SearchView, looked: number[], scope: LineScope, score: Float64Array): Features {
  const { exchange: exchangeOf, role } = view;
  const found: Features = {
    exchange: [],
    first: [],
    lines: [],
    bestTurn: [],
    userTurn: [],
    lastTurn: [],
    otherTurn: [],
    turnBefore: [],
    size: 0,
  };
  const runs = view.runsOf?.(looked);
  for (const source of looked) {
    const isOpen = opened(view, scope, source);
    let current = -1;
    let before = 0;
    let last = 0;
    let user = 0;
    let other = 0;
    let most = 0;
    const end = () => {
      found.exchange.push(current);
      found.bestTurn.push(most);
      found.userTurn.push(user);
      found.lastTurn.push(last);
      found.otherTurn.push(other);
      found.turnBefore.push(before);
      found.size++;
    };
    for (const [first, count] of runs?.get(source) ?? view.runs(source)) {
      for (let line = first; line < first + count; line++) {
        const exchange = exchangeOf[line]!;
        if (current !== exchange) {
          if (current >= 0) end();
          found.first.push(found.lines.length);
          before = current >= 0 ? last : 0;
          last = 0;
          user = 0;
          other = 0;
          most = 0;
          current = exchange;
        }
        if (!isOpen(line)) continue;
        found.lines.push(line);
        const own = score[line]!;
        if (role[line] === ROLE.user) user = Math.max(user, own);
        else if (role[line] === ROLE.assistant) {
          other = Math.max(other, last);
          last = own;
        } else continue;
        most = Math.max(most, own);
      }
    }
    if (current >= 0) end();
  }
  found.first.push(found.lines.length);
  return found;
}

/** Which lines of a source may be found. */
function opened(view: SearchView, { accept, plain }: LineScope, source: number): (line: number) => boolean {
  if (!plain || plain.role !== undefined) return accept;
  if (plain.sources && plain.sources[source] !== 1) return () => false;
  const { role } = view;
  return (line) => role[line]! < ROLE.document;
}

/** What makes the best of a part 1. */
function scaleOf(part: number[]): number {
  let most = 0;
  for (let at = 0; at < part.length; at++) most = Math.max(most, part[at]!);
  return most === 0 ? 0 : 1 / most;
}
