import type { Piece } from './candidate.ts';
import { type Grown, grow, TODAY } from './grow.ts';
import { contentWords, identifiers, numbersIn, shared } from './plain-text.ts';
import type { AgentUnit, ReadSegment } from './segment-units.ts';
import { OUTCOME_WEIGHTS, weighed } from './weights.ts';

const LEAST = 1.2;
const SHORTEST = 25;

export type Outcome = { score: number; piece: Piece; unit: AgentUnit; first: number; last: number };

/**
 * The agent's sentence that says what came of the user's words: a result, a concession, a cause or a limit; never a
 * question, a guess or a proposal. None where the next message objects.
 */
export function outcomeOf(segment: ReadSegment, words: string, limit: number): Outcome | undefined {
  if (segment.reaction === 'objects') return undefined;
  const [about, numbers, names] = [contentWords(words), numbersIn(words), identifiers(words)];
  let [best, most] = [-1, 0];
  segment.answers.forEach((unit, place) => {
    if (!isResult(unit)) return;
    const score =
      weighed(unit.features, OUTCOME_WEIGHTS) +
      0.4 * Math.min(4, shared(about, contentWords(unit.text))) +
      0.6 * Math.min(2, shared(numbers, numbersIn(unit.text))) +
      0.3 * Math.min(2, shared(names, identifiers(unit.text))) -
      (TODAY.test(unit.text) ? 1 : 0) -
      (/^\W*(?:I also|Also)\b/.test(unit.text) ? 0.6 : 0);
    if (best === -1 || score > most) [best, most] = [place, score];
  });
  if (best === -1 || most < LEAST) return undefined;
  const { first, last, ...piece }: Grown = grow(segment.answers, best, limit);
  return { score: most, piece, unit: segment.answers[best]!, first, last };
}

function isResult({ features, text }: AgentUnit): boolean {
  if (text.length < SHORTEST || (features.has('status') && text.length < 70)) return false;
  return !['narrates', 'asks', 'colon', 'proposes', 'weakHeading', 'guesses'].some((name) =>
    features.has(name),
  );
}
