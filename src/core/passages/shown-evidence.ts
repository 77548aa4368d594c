import { termsOf, tokenPattern } from '../text/terms.ts';
import { alikeTerms } from './alike.ts';
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
  /** How like the prompt it is as a whole; found out when it is asked for. */
  alike: () => number;
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
  const asked = new Set(termsOf(prompt));
  const isRepeated = (it: { turn: number; terms: readonly string[] }) =>
    it.turn > 0 &&
    it.terms.length >= REPEATED.terms &&
    it.terms.filter((term) => asked.has(term)).length >= REPEATED.share * it.terms.length;
  const terms = (isWork ? shown.filter((it) => !isRepeated(it)) : shown).flatMap((it) => it.terms);
  const held = new Set(terms);
  const weights = new Map(wanted.flatMap(([own]) => (own ? [[own.term, own.weight] as const] : [])));
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
    alike: () => alikeTerms(termsOf(prompt), terms, rarityOf),
  };
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
    if (!found.some((other) => isAlike(one, other))) found.push(one);
  return found;
}

function isAlike(one: Written, other: Written): boolean {
  const common = one.parts.filter((part) => other.parts.includes(part)).length;
  return common > Math.min(one.parts.length, other.parts.length) / 2;
}
