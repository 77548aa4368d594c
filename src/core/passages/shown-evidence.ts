import { termsOf, tokenPattern } from '../text/terms.ts';
import { areAlike } from './alike.ts';
import type { WantedWord } from './passage.ts';
import { shownPart } from './render.ts';
import type { ChosenPassage } from './score-sentences.ts';

/** What the sentences that are shown have of what was asked for. */
export type ShownEvidence = {
  /** By how rare the words and their parts are: one that nobody else said counts 1. */
  mass: number;
  /** Of all that was asked for. */
  share: number;
  names: number;
  /** Words of the prompt as they are written, each of which says something that the others do not. */
  words: Map<string, number>;
  /** Words behind the ask that the prompt has not: what it adds. */
  newWords: number;
  /** Whether it is this like the prompt as a whole; found out when it is asked for. */
  isAlike: (least: number) => boolean;
  /** The same of all that was said in the exchange: sentences about the prompt may be chosen from one about something else. */
  isExchangeAlike: (least: number) => boolean;
};

/** A sentence of the agent that the prompt repeats: this many of its terms, if it has any. */
const REPEATED = { share: 0.8, terms: 6 };

/** A word of a prompt as written, with its parts. */
type Written = { term: string; parts: string[]; weight: number };

export type EvidenceRequest = {
  prompt: string;
  wanted: readonly WantedWord[];
  names: readonly string[];
  /** What a word must weigh to say something: 1 is a word that nobody said. */
  least: number;
  /** Work: the author of the prompt has read what it repeats, so that does not show that the rest has the same topic. */
  isWork: boolean;
  rarityOf: (term: string) => number;
};

export function shownEvidence(
  { of, chosen }: ChosenPassage,
  { prompt, wanted, names, least, isWork, rarityOf }: EvidenceRequest,
): ShownEvidence {
  const shown = chosen.map((sentence) => {
    const part = shownPart(of, sentence);
    // Words behind the cut are no evidence: nobody reads them.
    return { turn: sentence.turn, terms: part === sentence.text ? sentence.known.terms : termsOf(part) };
  });
  const inPrompt = termsOf(prompt);
  const asked = new Set(inPrompt);
  const isRepeated = (it: { turn: number; terms: readonly string[] }) =>
    it.turn > 0 &&
    it.terms.length >= REPEATED.terms &&
    it.terms.filter((term) => asked.has(term)).length >= REPEATED.share * it.terms.length;
  const terms = (isWork ? shown.filter((it) => !isRepeated(it)) : shown).flatMap((it) => it.terms);
  const held = new Set(terms);
  const weights = ownWeights(wanted);
  let [mass, all] = [0, 0];
  for (const [term, weight] of weights) {
    all += weight;
    if (held.has(term)) mass += weight;
  }
  const written = writtenIn(prompt, weights).filter(({ term, weight }) => weight >= least && held.has(term));
  const behind = of.exchange.asks ? shown.filter(({ turn }) => turn > 0) : shown;
  return {
    mass,
    share: all === 0 ? 0 : mass / all,
    names: names.filter((name) => held.has(name)).length,
    words: new Map(apart(written).map(({ term, weight }) => [term, weight])),
    newWords: new Set(behind.flatMap(({ terms }) => terms).filter((term) => !asked.has(term))).size,
    isAlike: (least) => areAlike(inPrompt, terms, rarityOf, least),
    isExchangeAlike: (least) =>
      areAlike(
        inPrompt,
        of.sentences.flatMap(({ known }) => known.terms),
        rarityOf,
        least,
      ),
  };
}

/** What the words of a prompt weigh, without those that may be in their place. */
export function ownWeights(wanted: readonly WantedWord[]): Map<string, number> {
  return new Map(wanted.flatMap(([own]) => (own ? [[own.term, own.weight] as const] : [])));
}

/** Names count whole: `status.md` is not `paper-status.md`. */
function writtenIn(prompt: string, weights: ReadonlyMap<string, number>): Written[] {
  return (prompt.match(tokenPattern(prompt)) ?? []).flatMap((token) => {
    const [term, ...parts] = termsOf(token);
    if (term === undefined) return [];
    return [{ term, parts: parts.length === 0 ? [term] : parts, weight: weights.get(term) ?? 0 }];
  });
}

/** `app-staging` beside `app-local`, or a file beside its path, is the same said twice. */
function apart(written: Written[]): Written[] {
  const found: Written[] = [];
  for (const one of [...written].sort((a, b) => b.weight - a.weight || b.parts.length - a.parts.length))
    if (!found.some((other) => isSaidTwice(one, other))) found.push(one);
  return found;
}

function isSaidTwice(one: Written, other: Written): boolean {
  const common = one.parts.filter((part) => other.parts.includes(part)).length;
  return common > Math.min(one.parts.length, other.parts.length) / 2;
}
