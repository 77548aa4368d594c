import { EVIDENCE } from '../../core/inject/evidence.ts';
import type { PromptKind } from '../../core/inject/prompt-kind.ts';
import type { PromptNames } from '../../core/inject/prompt-names.ts';
import { hasSameNumbers } from '../../core/inject/same-numbers.ts';
import { isWorkingWord } from '../../core/inject/working-words.ts';
import type { WantedWord } from '../../core/passages/passage.ts';
import { passageText } from '../../core/passages/render.ts';
import { type ChosenPassage, chanceOf, type ScoredExchange } from '../../core/passages/score-sentences.ts';
import { type ShownEvidence, shownEvidence } from '../../core/passages/shown-evidence.ts';
import { termsOf, tokenPattern } from '../../core/text/terms.ts';

export type PromptEvidence = {
  prompt: string;
  kind: PromptKind;
  /** In the middle of a session: whether the prompt recalls something earlier. Undefined: it opens the session. */
  recalls: boolean | undefined;
  wanted: readonly WantedWord[];
  names: PromptNames;
  /** The best exchange of this project beside the best of the others; infinite where there are none. */
  beside: number;
  /** Whether what may answer is of one session; undefined if that was not looked at. */
  agreed?: boolean;
  /** How far the session of an exchange is ahead of every other; 0 where another one is. */
  aheadOf: (exchange: ScoredExchange) => number;
  /** 1 for a term that nobody said. */
  rarityOf: (term: string) => number;
};

/** A question, or a request for what is missing. */
const ASKS =
  /[?？]["')*_]*$|^(?:please|could you|can you|would you|let me know|i need (?:some |more |a bit of )*(?:clarification|information|details?|context))\b/i;

/** A passage, and words of the prompt that it has. */
export type QuotedPassage = { passage: ChosenPassage; words: string[] };
type Judged = { passage: ChosenPassage; evidence: ShownEvidence };

/**
 * Passages that say by their own words why they are shown (an exchange may fit by words that were not chosen), and those that
 * are worth an offer.
 */
export function worthQuoting(
  passages: ChosenPassage[],
  asked: PromptEvidence,
): { quoted: QuotedPassage[]; near: ChosenPassage[] } {
  const { prompt, kind, recalls, wanted, names, rarityOf } = asked;
  const asks = kind === 'ask' || kind === 'ask-past';
  const request = {
    prompt,
    wanted,
    names: names.rare,
    least: EVIDENCE.word,
    isWork: kind === 'do',
    rarityOf,
  };
  const judged = passages
    .map((passage): Judged => ({ passage, evidence: shownEvidence(passage, request) }))
    .filter(
      ({ passage, evidence }) =>
        // Most of its names are somewhere else: it is about other things.
        evidence.names >= EVIDENCE.namesShown * names.all &&
        (asks || evidence.newWords >= EVIDENCE.newWords) &&
        hasSameNumbers(prompt, passageText(passage)),
    );
  const strong = judged.filter((it) => isStrong(it, asked) && !mostlyAsks(it.passage));
  const most = recalls ? EVIDENCE.quotedRecalled : EVIDENCE.quoted;
  const chosen = asks ? strong.slice(0, most) : bestOf(strong);
  return {
    quoted: chosen.map(({ passage, evidence }) => ({ passage, words: asWritten(prompt, evidence.words) })),
    near: judged.filter(isNear).map(({ passage }) => passage),
  };
}

/** Words as the prompt has them, the weightiest first. */
function asWritten(prompt: string, words: ReadonlyMap<string, number>): string[] {
  const tokens = new Map<string, string>();
  for (const token of prompt.match(tokenPattern(prompt)) ?? []) {
    const [term] = termsOf(token);
    if (term !== undefined && !tokens.has(term)) tokens.set(term, token);
  }
  return [...words.keys()].map((term) => tokens.get(term) ?? term);
}

/** Beside work a second passage is mostly about something else. */
function bestOf(strong: Judged[]): Judged[] {
  return [...strong].sort((a, b) => b.evidence.share - a.evidence.share).slice(0, 1);
}

/** Most of what the agent says in it asks for more: it is no answer. */
function mostlyAsks({ of, chosen }: ChosenPassage): boolean {
  const replies = chosen.filter(({ turn }) => of.exchange.turns[turn]?.kind === 'assistant');
  return 2 * replies.filter(({ text }) => ASKS.test(text.trim())).length > replies.length;
}

/** Whether what is shown has enough of the prompt: by kind of prompt. */
function isStrong(
  { passage, evidence }: Judged,
  { kind, recalls, beside, agreed, aheadOf }: PromptEvidence,
): boolean {
  if (kind === 'do')
    return (
      beside >= EVIDENCE.workProject &&
      isForWork(evidence, aheadOf(passage.of), recalls === false ? EVIDENCE.workGoingOn : EVIDENCE.work)
    );
  // The current task shares its words with many exchanges, and in the middle of a session most questions are about the session itself.
  if (kind === 'ask-here' || recalls === false || beside < EVIDENCE.askProject) return false;
  const { share, mass, isAlike, words } = evidence;
  if (agreed !== undefined) {
    const { shown, telling } = EVIDENCE.oneSession;
    return agreed && share >= shown && (Number.isFinite(beside) || rareWeight(words) >= telling);
  }
  if (recalls) return share >= EVIDENCE.recalled.share && isAlike(EVIDENCE.recalled.alike);
  if (kind === 'ask-past') return share >= EVIDENCE.past.share && mass >= EVIDENCE.past.mass;
  return isAnswer(evidence, beside);
}

function isAnswer({ names, share, mass, words, isAlike }: ShownEvidence, beside: number): boolean {
  const { ask, unnamedAsk } = EVIDENCE;
  if (share < ask.share || mass < ask.mass || weightOf(words) < ask.words) return false;
  if (Number.isFinite(beside) && beside >= EVIDENCE.farAhead) return true;
  // Without a name of this project a question may be about anything.
  const isOwn = names > 0 || (share >= unnamedAsk.share && rareWeight(words) >= unnamedAsk.telling);
  return isOwn && isAlike(ask.alike);
}

function isForWork(evidence: ShownEvidence, ahead: number, least: Least & { ahead: number }): boolean {
  const isAhead = Number.isFinite(ahead) ? ahead >= least.ahead : evidence.isAlike(EVIDENCE.onlySession);
  return isAhead && holds(evidence, least);
}

function isNear({ passage, evidence }: Judged): boolean {
  return chanceOf(passage.of) >= EVIDENCE.near.chance && holds(evidence, EVIDENCE.near);
}

type Least = { share: number; mass: number; telling: number; alike: number; exchangeAlike: number };

function holds({ share, mass, words, isAlike, isExchangeAlike }: ShownEvidence, least: Least): boolean {
  return (
    share >= least.share &&
    mass >= least.mass &&
    rareWeight(words) >= least.telling &&
    isAlike(least.alike) &&
    isExchangeAlike(least.exchangeAlike)
  );
}

/** Words that not every project uses. */
function rareWeight(words: ReadonlyMap<string, number>): number {
  return weightOf(words, isWorkingWord);
}

function weightOf(
  words: ReadonlyMap<string, number>,
  without: (term: string) => boolean = () => false,
): number {
  let sum = 0;
  for (const [term, weight] of words) if (!without(term)) sum += weight;
  return sum;
}
