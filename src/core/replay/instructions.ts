import { sameWords } from '../text/plain-text.ts';
import { sentencesOf } from '../text/sentences.ts';
import type { InstructionMoment, PromptMoment } from './moment.ts';

/** How to work, not what to do now: only such a sentence is an instruction that memory could repeat. */
const MANNER =
  /\b(?:don'?t|do not|never|always|make sure|ensure|remember|avoid|prefer|no need|feel free|keep in mind|be careful|ask me|refer to|stick to|from now on|in the future|instead of|rather than|must not|should not|shouldn'?t|nicht|niemals|immer|bitte kein\w*)\b|不要|总是|务必|请勿/i;
/** A report, a question or what a program printed. */
const NO_ORDER =
  /[?？]\s*$|^\W*(?:i|i'm|i've|we|it|this|that|there|they|he|she|seems?|looks?|error|warning|why|what|how)\b(?! (?:want|need|would like|prefer|don'?t want)\b)|^[^\p{L}]*[$✗❯➜>#|]|\b(?:don'?t|do not) (?:know|think|see|understand|remember)\b/iu;
const LONGEST_MESSAGE = 2500;
const LONGEST_SENTENCE = 300;

/** The user's instructions of how to work, each once a message: sentences of prompts, and what was found to be meant to last. */
export function instructionsIn(
  prompts: readonly PromptMoment[],
  wishes: readonly InstructionMoment[],
): InstructionMoment[] {
  const found = new Map<string, InstructionMoment>();
  const add = (wish: InstructionMoment) => {
    const key = `${wish.src} ${sameWords(wish.text)}`;
    if (!found.has(key)) found.set(key, wish);
  };
  for (const { text, ...at } of prompts) {
    if (text.length > LONGEST_MESSAGE) continue;
    const message = messageStart(text);
    for (const sentence of sentencesOf(text))
      if (sentence.length <= LONGEST_SENTENCE && MANNER.test(sentence) && !NO_ORDER.test(sentence))
        add({ ...at, text: sentence, message });
  }
  for (const wish of wishes) if (!NO_ORDER.test(wish.text)) add(wish);
  return [...found.values()].sort((a, b) => a.src - b.src);
}

/** How a message is known when it is sent again. */
export function messageStart(text: string): string {
  return sameWords(text).slice(0, 200);
}
