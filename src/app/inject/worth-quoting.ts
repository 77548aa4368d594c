import { EVIDENCE } from '../../core/inject/evidence.ts';
import type { PromptKind } from '../../core/inject/prompt-kind.ts';
import type { PromptNames } from '../../core/inject/prompt-names.ts';
import { hasSameNumbers } from '../../core/inject/same-numbers.ts';
import { isWorkingWord } from '../../core/inject/working-words.ts';
import type { WantedWord } from '../../core/passages/passage.ts';
import { passageText } from '../../core/passages/render.ts';
import type { ChosenPassage } from '../../core/passages/score-sentences.ts';
import { type ShownEvidence, shownEvidence } from '../../core/passages/shown-evidence.ts';

type Asked = {
  prompt: string;
  kind: PromptKind;
  wanted: readonly WantedWord[];
  names: PromptNames;
  /** The best exchange of this project beside the best of the others. */
  beside: number;
  /** 1 for a term that nobody said. */
  rarityOf: (term: string) => number;
};

/** A passage, and words of the prompt that it has. */
export type QuotedPassage = { passage: ChosenPassage; words: string[] };

/** Passages that say by their own words why they are shown: an exchange may fit by words that were not chosen. */
export function worthQuoting(passages: ChosenPassage[], asked: Asked): QuotedPassage[] {
  const { prompt, kind, wanted, names, rarityOf } = asked;
  const request = { prompt, wanted, names: names.rare, least: EVIDENCE.word, rarityOf };
  const judged = passages.map((passage) => ({ passage, evidence: shownEvidence(passage, request) }));
  const plain = judged.filter(
    ({ passage, evidence }) => isPlain(evidence, asked) && hasSameNumbers(prompt, passageText(passage)),
  );
  const asks = kind === 'ask' || kind === 'ask-past';
  const most = kind === 'ask-past' ? EVIDENCE.ofPast : EVIDENCE.quoted;
  const chosen = (asks ? plain : bringingMore(plain)).slice(0, most);
  return chosen.map(({ passage, evidence }) => ({ passage, words: [...evidence.words.keys()] }));
}

/** The best, and after it those with a word of the prompt that none before has: a neighbor of the best is mostly about something else. */
function bringingMore<P extends { evidence: ShownEvidence }>(plain: P[]): P[] {
  const quoted = new Set<string>();
  return [...plain]
    .sort((a, b) => b.evidence.share - a.evidence.share)
    .filter(({ evidence }) => {
      const more = [...evidence.words.keys()].filter((word) => !quoted.has(word));
      for (const word of more) quoted.add(word);
      return more.length > 0;
    });
}

/** Whether what is shown has enough of the prompt: by kind of prompt. */
function isPlain(evidence: ShownEvidence, { kind, names, beside }: Asked): boolean {
  const { mass, share, alike } = evidence;
  if (kind === 'ask-past') return beside >= EVIDENCE.project && share >= EVIDENCE.pastShare;
  if (kind === 'ask')
    return (
      // Without a name of this project a question may be about anything: then most of its words must be there.
      (evidence.names > 0 || share >= EVIDENCE.unnamedShare) &&
      beside >= EVIDENCE.askProject &&
      share >= EVIDENCE.askShare &&
      mass >= EVIDENCE.askMass &&
      weightOf(evidence.words) >= EVIDENCE.askWords &&
      alike() >= EVIDENCE.askAlike
    );
  // Most of its names are somewhere else: it is about other things.
  if (evidence.names < EVIDENCE.namesShown * names.all) return false;
  // A question about what is at hand shares its words with many an exchange.
  if (kind === 'ask-here' && alike() < EVIDENCE.alike) return false;
  return isNamed(evidence) || isSameWork(evidence, beside);
}

function isNamed({ names, words, share, alike }: ShownEvidence): boolean {
  if (names === 0 || weightOf(words) < EVIDENCE.nameWords) return false;
  return names > 1
    ? share >= EVIDENCE.namesShare
    : share >= EVIDENCE.nameShare && alike() >= EVIDENCE.nameAlike;
}

/** Many words of the prompt, or fewer in a passage that is like it as a whole. */
function isSameWork({ words, share, alike }: ShownEvidence, beside: number): boolean {
  const weight = weightOf(words);
  if (beside < EVIDENCE.workProject || weight < EVIDENCE.someWords) return false;
  if (weightOf(words, isWorkingWord) < EVIDENCE.tellingWords) return false;
  const isMost = share >= EVIDENCE.workShare;
  if (isMost && weight >= EVIDENCE.manyWords && beside >= EVIDENCE.manyProject) return true;
  return alike() >= (isMost ? EVIDENCE.alike : EVIDENCE.muchAlike);
}

function weightOf(
  words: ReadonlyMap<string, number>,
  without: (term: string) => boolean = () => false,
): number {
  let sum = 0;
  for (const [term, weight] of words) if (!without(term)) sum += weight;
  return sum;
}
