import { ROLE } from '../model/search.ts';
import { best, type Scores } from './bm25.ts';
import type { WantedTerm } from './look-up.ts';
import { relatedTerms } from './related-words.ts';
import type { LineScope } from './scope.ts';
import { putBack } from './scratch.ts';
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
/** The sessions of so many exchanges are looked at closely. */
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
  const looked = new Set(best(exchanges, LOOKED_AT).map((exchange) => view.source[exchange]!));
  const features = [...looked].flatMap((source) => featuresOf(view, source, scope, lines));
  const scaled = scales(features);
  const ranked = features.map(({ exchange, lines: own, ...parts }) => {
    let score = W.exchange * exchanges.score[exchange]! + W.session * sources.score[view.source[exchange]!]!;
    for (const part of PARTS) score += W[part] * parts[part] * scaled[part];
    return { exchange, score, lines: own };
  });
  for (const scores of all) putBack(view, scores);
  const fitting = ranked.filter(({ score }) => score > 0);
  return fitting.sort((a, b) => b.score - a.score || a.exchange - b.exchange).slice(0, limit);
}

/** Scores of lines that speak for an exchange: its best turn, best words of the user, last answer, another, and the answer before it. */
const PARTS = ['bestTurn', 'userTurn', 'lastTurn', 'otherTurn', 'turnBefore'] as const;
type Parts = Record<(typeof PARTS)[number], number>;
type Features = Parts & { exchange: number; lines: number[] };

/** Of the exchanges of a session, in order. */
function featuresOf(view: SearchView, source: number, { accept }: LineScope, { score }: Scores): Features[] {
  const found: Features[] = [];
  let current: Features | undefined;
  let last = 0;
  const end = () => {
    if (!current) return;
    current.lastTurn = last;
    found.push(current);
  };
  for (const [first, count] of view.runs(source)) {
    for (let line = first; line < first + count; line++) {
      const exchange = view.exchange[line]!;
      if (!current || current.exchange !== exchange) {
        end();
        current = { ...NO_PARTS, exchange, lines: [], turnBefore: current ? last : 0 };
        last = 0;
      }
      if (!accept(line)) continue;
      current.lines.push(line);
      const own = score[line]!;
      if (view.role[line] === ROLE.user) current.userTurn = Math.max(current.userTurn, own);
      else if (view.role[line] === ROLE.assistant) {
        current.otherTurn = Math.max(current.otherTurn, last);
        last = own;
      } else continue;
      current.bestTurn = Math.max(current.bestTurn, own);
    }
  }
  end();
  return found;
}

const NO_PARTS: Parts = { bestTurn: 0, userTurn: 0, lastTurn: 0, otherTurn: 0, turnBefore: 0 };

/** What makes the best of each part 1. */
function scales(features: Features[]): Parts {
  const most = { ...NO_PARTS };
  for (const one of features) for (const part of PARTS) most[part] = Math.max(most[part], one[part]);
  for (const part of PARTS) most[part] = most[part] === 0 ? 0 : 1 / most[part];
  return most;
}
