import { LINE, ROLE } from '../model/search.ts';
import { termsOf } from '../text/terms.ts';
import { type Asked, askedIn } from './asked.ts';
import { best, bm25, normalised, type Scores } from './bm25.ts';
import type { SearchView } from './view.ts';
import { CANDIDATES, WEIGHTS } from './weights.ts';

export type Ranked = { line: number; score: number };

export type TurnQuery = {
  /** The words as they were typed: they tell what is asked for. */
  text: string;
  terms: string[];
  /** Lines that may be found. */
  accept: (line: number) => boolean;
  candidates?: number;
  /** The times of lines, asked for a few only. */
  times: (lines: number[]) => string[];
};

/** Turns, best first: each by its own words, its neighbours', its session's, and by what the query asks for. */
export function rankTurns(view: SearchView, query: TurnQuery): Ranked[] {
  const isTurn = (line: number) => view.role[line]! <= ROLE.assistant && query.accept(line);
  const own = normalised(
    bm25(view, query.terms, view.lineCount, (line) => (isTurn(line) ? line : -1), WEIGHTS.turn),
  );
  if (own.touched.length === 0) return [];
  const sessions = sessionScores(view, query.terms, isTurn);
  const candidates = withNeighbours(view, best(own, query.candidates ?? CANDIDATES), isTurn);
  const asked = askedIn(query.text);
  const spoken = speakerLines(view, query.text);
  const lines = [...candidates.keys()];
  const times = asked.months.length > 0 ? query.times(lines) : [];
  const ranked = lines.map((line, index) => {
    const around = candidates.get(line)!;
    let score = smoothed(view, own, around);
    score += WEIGHTS.ofSession * sessions.score[view.source[view.exchange[line]!]!]!;
    score = shaped(score, view.flags[line]!, asked, spoken.has(line));
    return { line, score: dated(score, asked, times[index]) };
  });
  return ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.line - b.line);
}

/** A turn and the two before and after it in its session; -1 where there is none. */
type Around = [number, number, number, number, number];

function smoothed(view: SearchView, own: Scores, [second, before, line, after, fourth]: Around): number {
  const s = (turn: number) => (turn < 0 ? 0 : own.score[turn]!);
  const { previous, next, second: far, answer } = WEIGHTS;
  const asks = before >= 0 && (view.flags[before]! & LINE.asks) !== 0;
  return (
    s(line) + (previous + (asks ? answer : 0)) * s(before) + next * s(after) + far * (s(second) + s(fourth))
  );
}

function shaped(score: number, flags: number, asked: Asked, speaker: boolean): number {
  let shapedScore = score;
  if (speaker) shapedScore *= WEIGHTS.speakerNamed;
  if (asked.when && flags & LINE.time) shapedScore *= WEIGHTS.asksWhen;
  if (asked.howMany && flags & LINE.number) shapedScore *= WEIGHTS.asksHowMany;
  if (flags & LINE.question) shapedScore *= WEIGHTS.shortQuestion;
  return shapedScore;
}

function dated(score: number, asked: Asked, time: string | undefined): number {
  if (!time) return score;
  const [year, month, day] = time.slice(0, 10).split('-').map(Number);
  const named = asked.months.find(
    (one) => one.month === month && (one.year === undefined || one.year === year),
  );
  if (!named) return score;
  const near = named.day !== undefined && Math.abs(named.day - day!) <= 1;
  return WEIGHTS.monthNamed.times * score + WEIGHTS.monthNamed.plus + (near ? WEIGHTS.dayNamed : 0);
}

function sessionScores(view: SearchView, terms: string[], isTurn: (line: number) => boolean): Scores {
  let sources = 0;
  for (let exchange = 0; exchange < view.source.length; exchange++)
    sources = Math.max(sources, view.source[exchange]! + 1);
  const unit = (line: number) => (isTurn(line) ? view.source[view.exchange[line]!]! : -1);
  return normalised(bm25(view, terms, sources, unit, WEIGHTS.session));
}

/** A speaker whose name stands in the query: `@name` is indexed with each of their turns. */
function speakerLines(view: SearchView, text: string): Set<number> {
  const lines = new Set<number>();
  for (const word of new Set(termsOf(text))) {
    for (const line of view.postings(`@${word}`).lines) lines.add(line);
  }
  return lines;
}

/** Candidates and the turns beside them, each with its own neighbours. Neighbours never cross a session. */
function withNeighbours(
  view: SearchView,
  lines: number[],
  isTurn: (line: number) => boolean,
): Map<number, Around> {
  const turns = new Map<number, number[]>();
  const found = new Map<number, Around>();
  for (const line of lines) {
    const source = view.source[view.exchange[line]!]!;
    let inSession = turns.get(source);
    if (!inSession) {
      inSession = turnsOf(view, source, isTurn);
      turns.set(source, inSession);
    }
    const place = position(inSession, line);
    for (let at = Math.max(0, place - 2); at <= Math.min(inSession.length - 1, place + 2); at++) {
      const turn = inSession[at]!;
      if (found.has(turn)) continue;
      const near = (offset: number) => inSession[at + offset] ?? -1;
      found.set(turn, [near(-2), near(-1), turn, near(1), near(2)]);
    }
  }
  return found;
}

function turnsOf(view: SearchView, source: number, isTurn: (line: number) => boolean): number[] {
  const turns: number[] = [];
  for (const [first, count] of view.runs(source)) {
    for (let line = first; line < first + count; line++) if (isTurn(line)) turns.push(line);
  }
  return turns;
}

/** Later lines have higher numbers, so a session's turns are in order. */
function position(turns: number[], line: number): number {
  let low = 0;
  let high = turns.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle]! < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
