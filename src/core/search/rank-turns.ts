import { LINE, ROLE } from '../model/search.ts';
import { termsOf } from '../text/terms.ts';
import { type Asked, askedIn } from './asked.ts';
import { best, bm25, normalised, type Scores } from './bm25.ts';
import { lookUpWidely, type Wanted } from './look-up.ts';
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
  const { isTurn, turns } = turnsIn(view, query.accept);
  const spoken = speakerLines(view, query);
  const wanted = lookUpWidely(view, query, { accept: isTurn, lines: turns }, (term) => spoken.has(term));
  const own = normalised(
    bm25(view, wanted, view.lineCount, (line) => (isTurn(line) ? line : -1), WEIGHTS.turn),
  );
  if (own.touched.length === 0) return [];
  const sessions = sessionScores(view, wanted, isTurn);
  const candidates = withNeighbours(view, best(own, query.candidates ?? CANDIDATES), isTurn);
  const asked = askedIn(query.text);
  const speakers = new Set([...spoken.values()].flatMap((lines) => [...lines]));
  const lines = [...candidates.keys()];
  const times = asked.months.length > 0 ? query.times(lines) : [];
  const ranked = lines.map((line, index) => {
    const around = candidates.get(line)!;
    let score = smoothed(view, own, around);
    score += WEIGHTS.ofSession * sessions.score[view.source[view.exchange[line]!]!]!;
    score = shaped(score, view.flags[line]!, asked, speakers.has(line));
    return { line, score: dated(score, asked, times[index]) };
  });
  return ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.line - b.line);
}

/** Every line is tried once only: the test runs over all of them several times. */
function turnsIn(view: SearchView, accept: TurnQuery['accept']) {
  const { role, lineCount } = view;
  const open = new Uint8Array(lineCount);
  let turns = 0;
  for (let line = 0; line < lineCount; line++) {
    if (role[line]! > ROLE.assistant || !accept(line)) continue;
    open[line] = 1;
    turns++;
  }
  return { isTurn: (line: number) => open[line] === 1, turns };
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
  if (asked.howMany && flags & (LINE.number | LINE.time)) shapedScore *= WEIGHTS.asksHowMany;
  if (flags & LINE.asks) shapedScore *= WEIGHTS.question;
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
  const inMonth = WEIGHTS.monthNamed.times * score + WEIGHTS.monthNamed.plus;
  return near ? WEIGHTS.dayNamed.times * inMonth + WEIGHTS.dayNamed.plus : inMonth;
}

function sessionScores(view: SearchView, wanted: Wanted[], isTurn: (line: number) => boolean): Scores {
  const { source, exchange } = view;
  let sources = 0;
  for (const one of source) sources = Math.max(sources, one + 1);
  const unit = (line: number) => (isTurn(line) ? source[exchange[line]!]! : -1);
  return normalised(bm25(view, wanted, sources, unit, WEIGHTS.session));
}

/** The turns of each speaker whose name stands in the query: `@name` is indexed with each of their turns. */
function speakerLines(view: SearchView, { text, accept }: TurnQuery): Map<string, Uint32Array> {
  const found = new Map<string, Uint32Array>();
  for (const word of new Set(termsOf(text))) {
    const lines = view.postings(`@${word}`).lines.filter(accept);
    if (lines.length > 0) found.set(word, lines);
  }
  return found;
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
