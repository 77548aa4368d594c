import { LINE } from '../model/search.ts';
import { termsOf } from '../text/terms.ts';
import { best, type Scores } from './bm25.ts';
import { lookUpWidely } from './look-up.ts';
import { type Neighborhood, withNeighbors } from './neighbors.ts';
import { isQuestion, type QueryIntent, queryIntent } from './query-intent.ts';
import type { LineScope } from './scope.ts';
import { putBack } from './scratch.ts';
import { turnScope, turnScores, turnTest } from './turn-scores.ts';
import type { SearchView } from './view.ts';
import { CANDIDATES, SEARCH_WEIGHTS } from './weights.ts';

export type Ranked = { line: number; score: number };

export type TurnQuery = LineScope & {
  /** The words as they were typed: they show what is asked for. */
  text: string;
  terms: string[];
  candidates?: number;
  /** Tool calls are looked for, which are no turns otherwise. */
  tools?: boolean;
  /** The times of lines, asked for a few only. */
  times: (lines: number[]) => string[];
};

/** Turns, best first: each by its own words, its neighbors', its session's, and by what the query asks for. */
export function rankTurns(view: SearchView, query: TurnQuery): Ranked[] {
  const { flags, exchange, source } = view;
  const scope = turnScope(view, query, query.tools);
  const isOpen = turnTest(view, scope);
  const spoken = speakerLines(view, query.text, isOpen);
  const named = [...spoken.values()];
  const inScope = { accept: isOpen, lines: scope.turns };
  const wanted = lookUpWidely(view, query, inScope, (term) => spoken.has(term));
  const { own, sessions } = turnScores(view, wanted, scope);
  if (own.touched.length === 0) return [];
  const candidates = withNeighbors(view, best(own, query.candidates ?? CANDIDATES), isOpen);
  const asked = queryIntent(query.text);
  const asks = isQuestion(query.text);
  const lines = [...candidates.keys()].filter(
    (line) => asks || holdsOrAnswers(flags, own, candidates.get(line)!),
  );
  const times = asked.months.length > 0 ? query.times(lines) : [];
  const ranked = lines.map((line, index) => {
    let score = smoothed(flags, own, candidates.get(line)!);
    score += SEARCH_WEIGHTS.ofSession * sessions.score[source[exchange[line]!]!]!;
    const speaker = named.some((name) => holds(name, line));
    score = shaped(score, flags[line]!, asked, speaker);
    return { line, score: dated(score, asked, times[index]) };
  });
  for (const scores of [own, sessions]) putBack(view, scores);
  return ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.line - b.line);
}

/** Who types words wants turns that hold one, or that answer a turn which does. */
function holdsOrAnswers(flags: Uint8Array, { score }: Scores, [, before, line]: Neighborhood): boolean {
  return score[line]! > 0 || (before >= 0 && score[before]! > 0 && (flags[before]! & LINE.asks) !== 0);
}

function smoothed(
  flags: Uint8Array,
  own: Scores,
  [second, before, line, after, fourth]: Neighborhood,
): number {
  const s = (turn: number) => (turn < 0 ? 0 : own.score[turn]!);
  const { previous, next, second: far, answer } = SEARCH_WEIGHTS;
  const asks = before >= 0 && (flags[before]! & LINE.asks) !== 0;
  return (
    s(line) + (previous + (asks ? answer : 0)) * s(before) + next * s(after) + far * (s(second) + s(fourth))
  );
}

function shaped(score: number, flags: number, asked: QueryIntent, speaker: boolean): number {
  let shapedScore = score;
  if (speaker) shapedScore *= SEARCH_WEIGHTS.speakerNamed;
  if (asked.when && flags & LINE.time) shapedScore *= SEARCH_WEIGHTS.asksWhen;
  if (asked.howMany && flags & (LINE.number | LINE.time)) shapedScore *= SEARCH_WEIGHTS.asksHowMany;
  if (flags & LINE.asks) shapedScore *= SEARCH_WEIGHTS.question;
  if (flags & LINE.question) shapedScore *= SEARCH_WEIGHTS.shortQuestion;
  return shapedScore;
}

function dated(score: number, asked: QueryIntent, time: string | undefined): number {
  if (!time) return score;
  const [year, month, day] = time.slice(0, 10).split('-').map(Number);
  const named = asked.months.find(
    (one) => one.month === month && (one.year === undefined || one.year === year),
  );
  if (!named) return score;
  const near = named.day !== undefined && Math.abs(named.day - day!) <= 1;
  const inMonth = SEARCH_WEIGHTS.monthNamed.times * score + SEARCH_WEIGHTS.monthNamed.plus;
  return near ? SEARCH_WEIGHTS.dayNamed.times * inMonth + SEARCH_WEIGHTS.dayNamed.plus : inMonth;
}

/** The turns of each speaker whose name is in the query: `@name` is indexed with each of their turns. */
function speakerLines(
  view: SearchView,
  text: string,
  isOpen: (line: number) => boolean,
): Map<string, Uint32Array> {
  const found = new Map<string, Uint32Array>();
  for (const word of new Set(termsOf(text))) {
    const { lines } = view.postings(`@${word}`);
    if (lines.length > 0 && lines.some(isOpen)) found.set(word, lines);
  }
  return found;
}

/** Whether a line is among these, which ascend. */
function holds(lines: Uint32Array, line: number): boolean {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]! < line) low = middle + 1;
    else high = middle;
  }
  return lines[low] === line;
}
