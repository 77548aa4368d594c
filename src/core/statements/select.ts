import { type Candidate, statementText } from './candidate.ts';
import { contentWords, shared } from './plain-text.ts';
import type { ReadSegment } from './segment-units.ts';
import { bearingOf, statementFeatures } from './statement-features.ts';
import { type FittedWeights, weighed } from './weights.ts';

/** Statements of a session: those that are shown, and those together with candidates for a review. */
const SHOWN = 5;
const MOST = 12;
const PER_SEGMENT = 2;
/** Share of the shorter one's words that makes two statements one. */
const ALIKE = 0.5;
const SHORTEST = 26;
/** How much worse a wrong statement is than a true one is good. */
const HARM = 1.5;
const LEAST_SHOWN = 0.3;

/** A candidate with all that its rank depends on. */
export type Judged = { candidate: Candidate; text: string; words: Set<string>; features: Set<string> };
export type RankedStatement = Judged & { holds: number; wrong: number; tier: 'shown' | 'candidate' };

export function judge(candidates: Candidate[], segments: ReadSegment[]): Judged[] {
  const bearing = bearingOf(segments);
  return candidates.flatMap((candidate) => {
    const text = statementText(candidate);
    if (candidate.dead || text.length < SHORTEST) return [];
    return [{ candidate, text, words: contentWords(text), features: statementFeatures(candidate, bearing) }];
  });
}

/** The best ones, the best first, none like another. */
export function select(judged: Judged[], segments: ReadSegment[], fitted: FittedWeights): RankedStatement[] {
  // A short session decides little.
  const limit = Math.min(SHOWN, 1 + Math.floor(segments.length / 2));
  const ranked = judged
    .map((one, place) => ({ ...one, ...chances(one, fitted), place }))
    .sort((a, b) => worth(b) - worth(a) || a.place - b.place);
  const chosen: RankedStatement[] = [];
  let shown = 0;
  const counts = new Map<string, number>();
  for (const { place, ...one } of ranked) {
    if (chosen.length >= MOST) break;
    const { author, segment } = one.candidate;
    const key = `${segment} ${author}`;
    if ((counts.get(key) ?? 0) >= PER_SEGMENT || chosen.some((other) => isAlike(one, other))) continue;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const tier = shown < limit && isShowable(one) ? 'shown' : 'candidate';
    if (tier === 'shown') shown++;
    else if (chosen.length - shown >= MOST - SHOWN) continue;
    chosen.push({ ...one, tier });
  }
  return chosen;
}

/** What only the agent says, what somebody else wrote and what asks more than it decides is for a review. */
function isShowable({ candidate, holds, wrong, features }: Omit<RankedStatement, 'tier'>): boolean {
  if (candidate.foundBy === 'claim' || candidate.foundBy === 'pasted') return false;
  if (
    features.has('asksForWork') ||
    features.has('gated:u') ||
    features.has('unanswered') ||
    features.has('report')
  )
    return false;
  return worth({ holds, wrong }) >= LEAST_SHOWN;
}

/** Shares of statements that held what readers wanted kept, in projects that the weights had not seen. */
export function confidenceOf({ tier, holds }: Pick<RankedStatement, 'tier' | 'holds'>): number {
  if (tier === 'shown') return holds >= 0.8 ? 0.8 : holds >= 0.7 ? 0.7 : 0.6;
  return holds >= 0.6 ? 0.5 : 0.4;
}

function chances({ features, candidate }: Judged, fitted: FittedWeights): { holds: number; wrong: number } {
  // The score of the sentence itself, within bounds, counts as one feature.
  const prior = Math.min(6, Math.max(-4, candidate.score)) / 2;
  const chance = (weights: Record<string, number>) =>
    1 / (1 + Math.exp(-weighed(features, weights) - (weights.prior ?? 0) * prior));
  return { holds: chance(fitted.holds), wrong: chance(fitted.wrong) };
}

function worth({ holds, wrong }: { holds: number; wrong: number }): number {
  return holds - HARM * wrong;
}

function isAlike({ words }: Judged, other: Judged): boolean {
  return shared(words, other.words) > ALIKE * Math.min(words.size, other.words.size);
}
