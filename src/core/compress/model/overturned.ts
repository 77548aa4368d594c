import { runSteps } from '../../model/steps.ts';
import { contentWords } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import { ratiosOf } from '../choose/zones.ts';
import type { CompressInput } from '../compress.ts';
import { placeKept } from '../kept-places.ts';
import { readUnits } from '../units/read-units.ts';

/** Words of the agent that were withdrawn, the words that did it, and when they were said. */
export type OverturnedWords = { text: string; by: string; ts: string };

/** Shorter ones say too little to be known again. */
const FEWEST_WORDS = 4;
/** A sentence with this share of the words says the same. */
const SAME = 0.75;
/** A sentence that says it was not so. */
const DENIES =
  /\b(?:not|no longer|never|wrong\w*|incorrect|reject\w*|refut\w*|corrected|instead|but|however|turned out|initially|at first|first (?:thought|assumed|suspected|claimed|said|proposed)|assumed|suspected|ruled out|reverted|dropped|n't)\b|n't\b/i;

/** What a version must not state as true. */
export function overturnedWords(input: CompressInput): OverturnedWords[] {
  const { turns, settings, tiers } = input;
  const ratios = ratiosOf(turns, settings, tiers);
  const { units } = runSteps(readUnits({ ...input, ratios, marks: false }, placeKept(turns, input.kept)));
  return units.flatMap(({ gone, rejectedBy, text, turn }) =>
    gone && rejectedBy !== undefined && contentWords(text).size >= FEWEST_WORDS
      ? [{ text, by: rejectedBy, ts: input.turns[turn]!.line.ts }]
      : [],
  );
}

/** The overturned words that a sentence states as if they were true. */
export function restated(
  sentence: string,
  overturned: readonly OverturnedWords[],
): OverturnedWords | undefined {
  if (overturned.length === 0 || DENIES.test(straight(sentence))) return undefined;
  const own = contentWords(sentence);
  return overturned.find(({ text }) => {
    const words = contentWords(text);
    let common = 0;
    for (const word of words) if (own.has(word)) common++;
    return common >= SAME * words.size;
  });
}
