import { clipped, plainText } from '../text/plain-text.ts';
import { straight } from '../text/straight.ts';
import { AGENT_CUES } from './agent-cues.ts';
import { type Piece, quoteOf } from './candidate.ts';
import { isMachineLine } from './own-lines.ts';
import type { Reply } from './segments.ts';
import { type TextUnit, unitsOf } from './units.ts';

const POINTS =
  /(?:\b(?:options?|approach|number|item|choice|variant|do|with|go(?: with| for)?|and|,|for|prefer|like|think|use)\s+|^[^\p{L}\p{N}]*|#)([1-9]|[A-Ea-e])(?=[\s).,:;!]|$)(?!\s*(?:commits?|files?|tests?|lines?|days?|hours?|minutes?|months?|weeks?|times?|of\b|more|things?|sessions?|checkpoints?|and a half|bit|lot|good|simple|new|real))/gu;
const OPTION =
  /^\s*(?:#{1,5}\s*|[-*|]\s*)?\**\s*(?:(?:Option|Approach|Choice)\s+)?\(?([1-9]|[A-E])\b\s*[.):|—-]+\**\s*(.+)/;
const ALL = /\ball (?:of them|three|four|\d)\b|\bdo (?:them )?all\b|\bfix them all\b/i;
const MOST = 4;
const LEADING = 200;

type Option = { label: string; from: number; to: number; text: string };

/** The options that words like "option 2", "B" or "#4 and #5" mean, looked up in the agent's last message. */
export function optionsMeant(words: string, before: Reply | undefined): Piece | undefined {
  if (!before) return undefined;
  const options = optionsIn(before.text);
  if (options.size === 0) return undefined;
  const found = ALL.test(words) ? [...options.values()].slice(0, MOST) : pointedAt(words, options);
  if (found.length === 0) return undefined;
  const longest = found.length < 3 ? 120 : 70;
  return {
    text: found.map(({ label, text }) => `${label} = ${clipped(text, longest)}`).join('; '),
    quotes: found.map((option) => quoteOf(before, 'text', option)),
  };
}

function pointedAt(words: string, options: Map<string, Option>): Option[] {
  const found: Option[] = [];
  for (const [, sign = ''] of words.slice(0, LEADING).matchAll(POINTS)) {
    // "a" is an article unless it is all that was said.
    if (/[ae]/.test(sign) && !/^\W*[ae]\W*$/.test(words)) continue;
    const option = options.get(sign.toUpperCase());
    if (option && !found.includes(option)) found.push(option);
  }
  return found.slice(0, MOST);
}

/** By number or letter; the last list of a message is the one that is meant. */
function optionsIn(text: string): Map<string, Option> {
  const options = new Map<string, Option>();
  let start = 0;
  for (const line of text.split('\n')) {
    const [, label, body] = OPTION.exec(line) ?? [];
    if (label && body && body.length > 3) {
      const to = start + line.length;
      options.set(label, { label, from: to - body.length, to, text: plainText(body.replaceAll('|', ' ')) });
    }
    start += line.length + 1;
  }
  return options;
}

const OFFERS =
  /^[^\p{L}\p{N}]*(?:so[, ]+)?(?:would you like me to|do you want me to|want me to|should i|shall i|should we|shall we|do you want to|would you like to)\s+/iu;
const CHECKS = /^(?:does (?:this|that)|is (?:this|that)|look|sound|ready|which|what|how|or\b)/i;

/** What a plain "yes" agrees to: the agent's last question, with the sentence before it where that is needed. */
export function offerMeant(before: Reply | undefined): Piece | undefined {
  if (!before) return undefined;
  const units = unitsOf(before.text, isMachineLine);
  const at = units.findLastIndex(({ text }) => text.length > 25 && AGENT_CUES.asks.test(straight(text)));
  const question = units[at];
  if (!question) return undefined;
  const previous = units[at - 1];
  const context = previous && !AGENT_CUES.narrates.test(straight(previous.text)) ? previous : undefined;
  const offer = question.text.replace(OFFERS, '').replace(/\?+$/, '');
  const piece = (text: string, parts: TextUnit[], longest: number): Piece => ({
    text: clipped(text, longest),
    quotes: parts.map((part) => quoteOf(before, 'text', part)),
  });
  if (CHECKS.test(offer))
    return context && context.text.length > 40 ? piece(context.text, [context], 220) : undefined;
  if (!context || offer.length >= 110 || context.text.length >= 160) return piece(offer, [question], 240);
  return piece(`${context.text} ${offer}`, [context, question], 240);
}
