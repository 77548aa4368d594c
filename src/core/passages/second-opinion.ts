import { bestChance, type ScoredExchange } from './score-sentences.ts';

/** Exchanges with the chances of their sentences changed by a factor each; the exchange with the best sentence first. */
export function withSecondOpinion(scored: ScoredExchange[], factors: readonly number[]): ScoredExchange[] {
  const changed = scored.map((one, at): ScoredExchange => {
    const factor = Math.max(0, factors[at] ?? 1);
    return {
      ...one,
      sentences: one.sentences.map((sentence) => ({ ...sentence, chance: sentence.chance * factor })),
    };
  });
  return changed.sort((a, b) => bestChance(b) - bestChance(a));
}
