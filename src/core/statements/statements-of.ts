import { shortHash } from '../model/ids.ts';
import type { L1Line } from '../model/l1.ts';
import type { Overturned, SessionStatement } from '../model/statement.ts';
import type { Candidate } from './candidate.ts';
import { echoesIn } from './choose/echoes.ts';
import { FITTED } from './choose/fitted-weights.ts';
import { confidenceOf, type Judged, judge, type RankedStatement, select } from './choose/select.ts';
import { statedKind } from './choose/stated-kind.ts';
import { fromAnswers } from './from/answers.ts';
import { fromCauses } from './from/causes.ts';
import { fromClaims } from './from/claims.ts';
import { fromMemoryFiles } from './from/memory-files.ts';
import { fromOpenEnds } from './from/open-ends.ts';
import { fromPublished } from './from/published.ts';
import { fromTaskList } from './from/task-list.ts';
import { fromWords } from './from/words.ts';
import { overturn } from './overturn/overturn.ts';
import { type ReadSegment, readSegments } from './read/segment-units.ts';
import { segmentsOf } from './read/segments.ts';
import type { FittedWeights } from './weights.ts';

/** Of a long session the first ones: its statements have the others. */
const MOST_TAKEN_BACK = 60;

/** What is true at the end of a session, the best first, and what was said in it and taken back as a whole. */
export type SessionVerdict = { statements: SessionStatement[]; takenBack: Overturned[] };

export function verdictOfSession(lines: L1Line[]): SessionVerdict {
  const { segments, judged, takenBack } = judgedIn(lines);
  return { statements: chosenOf(judged, segments), takenBack: takenBack.slice(0, MOST_TAKEN_BACK) };
}

/** The statements that are true at the end of a session, the best first. */
export function statementsOf(lines: L1Line[]): SessionStatement[] {
  return verdictOfSession(lines).statements;
}

/** The statements that these weights choose. */
export function chosenOf(
  judged: Judged[],
  segments: ReadSegment[],
  fitted: FittedWeights = FITTED,
): SessionStatement[] {
  return select(judged, segments, fitted).map((ranked) => statement(ranked, segments));
}

/** All that may be a statement of a session, before any is chosen. */
export function judgedIn(lines: L1Line[]): {
  segments: ReadSegment[];
  judged: Judged[];
  takenBack: Overturned[];
} {
  const segments = readSegments(segmentsOf(lines));
  const candidates = candidatesIn(segments);
  const takenBack = overturn(candidates, segments);
  return { segments, judged: judge(candidates, segments), takenBack };
}

function candidatesIn(segments: ReadSegment[]): Candidate[] {
  const isEcho = echoesIn(segments);
  const found = segments.flatMap((segment) => {
    /** Places of the agent's sentences that are an outcome already. */
    const used = new Set<number>();
    return [
      ...fromWords(segment, isEcho, used),
      ...fromAnswers(segment),
      ...fromClaims(segment, used),
      ...fromCauses(segment, segments[segment.index + 1]),
      ...fromPublished(segment),
      ...fromMemoryFiles(segment),
    ];
  });
  return [...found, ...fromOpenEnds(segments), ...fromTaskList(segments)];
}

function statement(ranked: RankedStatement, segments: ReadSegment[]): SessionStatement {
  const { candidate, text, tier } = ranked;
  const { author, foundBy, words, reference, subject, outcome, overturned, segment } = candidate;
  const quotes = [...words.quotes, ...(reference?.quotes ?? []), ...(outcome?.quotes ?? [])];
  const { said = [], replies = [] } = segments[segment] ?? {};
  const start = said[0] ?? replies[0];
  const places = quotes.map(({ src, text }) => `${src}:${text}`).join('\0');
  return {
    id: `st_${shortHash(`${foundBy}\0${places}`, 12)}`,
    kind: statedKind(candidate),
    text,
    author,
    foundBy,
    tier,
    confidence: confidenceOf(ranked),
    quotes,
    ...(subject ? { about: subject.quotes } : {}),
    overturned,
    exchange: start?.at ?? 1,
    ts: start?.line.ts ?? '',
  };
}
