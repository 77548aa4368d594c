import { EVIDENCE } from '../../core/inject/evidence.ts';
import type { PromptKind } from '../../core/inject/prompt-kind.ts';
import { hasSameNumbers } from '../../core/inject/same-numbers.ts';
import type { WantedWord } from '../../core/passages/passage.ts';
import { passageText } from '../../core/passages/render.ts';
import type { ChosenPassage } from '../../core/passages/score-sentences.ts';
import { type ShownEvidence, shownEvidence } from '../../core/passages/shown-evidence.ts';

/** Names in a prompt: those that few exchanges have, and how many there are with those that memory never saw. */
export type PromptNames = { rare: string[]; all: number };

type Asked = {
  prompt: string;
  kind: PromptKind;
  wanted: readonly WantedWord[];
  names?: PromptNames | undefined;
};

/** Passages that say by their own words why they are shown: an exchange may fit by words that were not chosen. */
export function worthQuoting(passages: ChosenPassage[], asked: Asked): ChosenPassage[] {
  const { prompt, kind, wanted, names } = asked;
  const request = { prompt, wanted, names: names?.rare ?? [], least: EVIDENCE.word };
  const judged = passages.map((passage) => ({ passage, evidence: shownEvidence(passage, request) }));
  const plain = judged.filter(
    ({ passage, evidence }) => isPlain(evidence, kind, names) && hasSameNumbers(prompt, passageText(passage)),
  );
  return (kind === 'do' ? bringingMore(plain) : plain).map(({ passage }) => passage);
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
function isPlain(
  { mass, share, names: held, words }: ShownEvidence,
  kind: PromptKind,
  names?: PromptNames,
): boolean {
  if (kind === 'ask-past') return share >= EVIDENCE.pastShare;
  const apart = [...words.values()].reduce((sum, weight) => sum + weight, 0);
  if (kind !== 'do')
    return mass >= EVIDENCE.askMass && apart >= EVIDENCE.askWords && share >= EVIDENCE.askShare;
  const least = held > 1 ? EVIDENCE.namesShare : EVIDENCE.nameShare;
  const isNamed = held > 0 && held >= EVIDENCE.namesShown * (names?.all ?? 0);
  return isNamed && apart >= EVIDENCE.nameWords && share >= least;
}
