import { shortHash } from '../model/ids.ts';
import type { L1Line } from '../model/l1.ts';
import type { SessionStatement } from '../model/statement.ts';
import type { Candidate } from './candidate.ts';
import { echoesIn } from './echoes.ts';
import { fromAnswers } from './from-answers.ts';
import { fromClaims } from './from-claims.ts';
import { fromCommits } from './from-commits.ts';
import { fromMemoryFiles } from './from-memory-files.ts';
import { fromOpenEnds } from './from-open-ends.ts';
import { fromWords } from './from-words.ts';
import { overturn } from './overturn.ts';
import { type ReadSegment, readSegments } from './segment-units.ts';
import { segmentsOf } from './segments.ts';
import { type Ranked, select } from './select.ts';

const SHOWN = 5;

/** The statements that are true at the end of a session, the best first. */
export function statementsOf(lines: L1Line[]): SessionStatement[] {
  const segments = readSegments(segmentsOf(lines));
  const candidates = candidatesIn(segments);
  overturn(candidates, segments);
  return select(candidates, segments).map((ranked, place) => statement(ranked, place, segments));
}

export function candidatesIn(segments: ReadSegment[]): Candidate[] {
  const isEcho = echoesIn(segments);
  const found = segments.flatMap((segment) => {
    /** Places of the agent's sentences that are an outcome already. */
    const used = new Set<number>();
    return [
      ...fromWords(segment, isEcho, used),
      ...fromAnswers(segment),
      ...fromClaims(segment, used),
      ...fromCommits(segment),
      ...fromMemoryFiles(segment),
    ];
  });
  return [...found, ...fromOpenEnds(segments)];
}

function statement(
  { candidate, text, score }: Ranked,
  place: number,
  segments: ReadSegment[],
): SessionStatement {
  const { kind, author, foundBy, words, reference, outcome, overturned, ts, segment } = candidate;
  const quotes = [...words.quotes, ...(reference?.quotes ?? []), ...(outcome?.quotes ?? [])];
  const places = quotes.map(({ src, text }) => `${src}:${text}`).join('\0');
  return {
    id: `st_${shortHash(`${foundBy}\0${places}`, 12)}`,
    kind,
    text,
    author,
    foundBy,
    tier: place < SHOWN ? 'shown' : 'candidate',
    confidence: score >= 2 ? 0.75 : score >= 1 ? 0.6 : 0.4,
    quotes,
    overturned,
    exchange: segments[segment]?.said[0]?.at ?? 1,
    ts,
  };
}
