import type { WantedWord } from './passage.ts';
import type { ChosenPassage } from './score-sentences.ts';

/** What the sentences that are shown have of what was asked for. */
export type ShownEvidence = {
  /** Of the words themselves, by how rare they are: one that nobody else said counts 1. */
  mass: number;
  /** Of all that was asked for. */
  share: number;
  names: number;
};

export function shownEvidence(
  { chosen }: ChosenPassage,
  wanted: readonly WantedWord[],
  names: readonly string[],
): ShownEvidence {
  const held = new Set(chosen.flatMap(({ terms }) => terms));
  let [mass, all] = [0, 0];
  for (const [own] of wanted) {
    if (!own) continue;
    all += own.weight;
    if (held.has(own.term)) mass += own.weight;
  }
  return { mass, share: all === 0 ? 0 : mass / all, names: names.filter((name) => held.has(name)).length };
}
