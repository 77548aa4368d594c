import { clipped, contentWords, plainText, shared } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import { type Piece, quoteOf } from '../candidate.ts';
import { AGENT_CUES } from '../read/agent-cues.ts';
import { isMachineLine } from '../read/own-lines.ts';
import type { Reply } from '../read/segments.ts';
import { type TextUnit, unitsOf } from '../read/units.ts';

/** One or more numbers or letters: "2", "1 and 3", "A, C". */
const SIGNS = String.raw`(?:[1-9]|[A-Ea-e])(?:(?:\s*(?:,|&|\+|and|or)\s*)+#?(?:[1-9]|[A-Ea-e])\b)*`;
/** A number before a noun counts things; these may come after a pick. */
const AFTER = String.raw`(?=\s*(?:$|[.,;:!?\u2014\u2013-]|\)\s*$|(?:and|but|because|since|then|please|pls|first|for now|is|are|it is|looks?|sounds?|seems?|makes?|with|as|so|would|instead)\b))`;
const LEADS = `(?:ok(?:ay)?|yes|yeah|yep|sure|let'?s|i|we|would|'d|will|'ll|think|please|just|also|can|you|should|do|try|implement|fix|address|use|take|pick|choose|prefer|like|want|go|with|for|start|my|vote|is|say)`;
/** The words of a pick; the group holds its signs. */
const PICKS = [
  new RegExp(String.raw`^[^\p{L}\p{N}#]*(?:${LEADS}[\s,.:!]+)*(${SIGNS})${AFTER}`, 'giu'),
  new RegExp(
    String.raw`\b(?:options?|approach(?:es)?|choices?|variants?|numbers?|items?|points?)\s+#?(${SIGNS})\b`,
    'giu',
  ),
  new RegExp(
    String.raw`\b(?:go(?:ing)? (?:with|for)|prefer|pick|choose|vote for|do|in favou?r of)\s+(${SIGNS})${AFTER}`,
    'giu',
  ),
];
/** Numbers of other things than options. */
const NUMBERED_THING =
  /\b(?:issues?|prs?|pull requests?|mrs?|tickets?|bugs?|tasks?|commits?|lines?|steps?|phases?|pages?|sections?)\s*(?:no\.?\s*)?#?\d/i;
const HASHED = /(?<![\w/])#([1-9])(?![\w-])/g;
const OPTION =
  /^\s*(?:#{1,5}\s*|[-*|]\s*)?\**\s*(?:(?:Option|Approach|Choice)\s+)?\(?([1-9]|[A-E])\b\s*[.):|—-]+\**\s*(.+)/;
const ALL =
  /^[^\p{L}\p{N}]*(?:(?:yes|yeah|yep|ok(?:ay)?|sure|please|let'?s|i (?:want|like|think)|go (?:with|for)|do|fix|address|implement|apply|add|take)[\s,.!]+)*(?:all (?:of them|of these|of those|three|four|five|\d)|them all|all)(?=\s*(?:$|[.,;:!?]|please\b))/iu;
const MOST = 4;
const LEADING = 200;
const SHORT = 60;

/** `asked`: its message ends with a question. */
type Option = { label: string; from: number; to: number; text: string; asked: boolean };

/** The options that words like "option 2", "B" or "#4 and #5" mean, looked up in the agent's last message. */
export function optionsMeant(words: string, before: Reply | undefined): Piece | undefined {
  if (!before) return undefined;
  const options = optionsIn(before.text);
  if (options.length === 0) return undefined;
  const found =
    ALL.test(straight(words)) && words.length < LEADING
      ? lastOf(options).slice(0, MOST)
      : pointedAt(words, options);
  if (found.length === 0) return undefined;
  const longest = found.length < 3 ? 120 : 70;
  return {
    text: found.map(({ label, text }) => `${label} = ${clipped(text, longest)}`).join('; '),
    quotes: found.map((option) => quoteOf(before, 'text', option)),
  };
}

function pointedAt(words: string, offered: Option[]): Option[] {
  const found: Option[] = [];
  const head = straight(words.slice(0, LEADING));
  for (const sign of signsIn(head)) {
    const option = optionOf(sign.toUpperCase(), words, offered);
    if (option && !found.includes(option)) found.push(option);
  }
  if (found.length > 0 || NUMBERED_THING.test(head) || words.length > SHORT) return found.slice(0, MOST);
  // "#2" may be an issue: it is a pick in few words, where the message asked and has one list.
  for (const [, sign] of head.matchAll(HASHED)) {
    const [option, ...others] = offered.filter(({ label, asked }) => asked && label === sign);
    if (option && others.length === 0 && !found.includes(option)) found.push(option);
  }
  return found.slice(0, MOST);
}

/** The numbers and letters that are picks; a count before a noun, an issue's number or a point of the user's own list is none. */
function signsIn(words: string): string[] {
  const own = words.match(/(?<![\w.])[1-9][.)](?=\s)/g)?.length ?? 0;
  if (own > 1 || NUMBERED_THING.test(words)) return [];
  return PICKS.flatMap((pattern) =>
    [...words.matchAll(pattern)].flatMap(([, picked = '']) => {
      const all = picked.match(/[1-9]|\b[A-Ea-e]\b/g) ?? [];
      // "a" is an article unless it is all that was said.
      return all.filter((sign) => !/[ae]/.test(sign) || /^\W*[ae]\W*$/.test(words));
    }),
  );
}

/** Where several lists have the number, the one on the user's subject is meant, or the last one of a message that asks. */
function optionOf(label: string, words: string, offered: Option[]): Option | undefined {
  const having = offered.filter((option) => option.label === label);
  const last = having.at(-1);
  if (having.length < 2) return last;
  const about = contentWords(words);
  const near = having
    .map((option) => ({ option, common: shared(about, contentWords(option.text)) }))
    .sort((a, b) => b.common - a.common);
  if (near[0]!.common > near[1]!.common) return near[0]!.option;
  return last?.asked ? last : undefined;
}

/** The last of each number: where a message has two lists, the later one. */
function lastOf(options: Option[]): Option[] {
  return [...new Map(options.map((option) => [option.label, option])).values()];
}

/** All numbered or lettered lines of a message, in order. */
function optionsIn(text: string): Option[] {
  const options: Option[] = [];
  const asked = /\?[^?]{0,200}$/.test(text.trimEnd());
  let start = 0;
  for (const line of text.split('\n')) {
    const [, label, body] = OPTION.exec(line) ?? [];
    if (label && body && body.length > 3) {
      const to = start + line.length;
      const from = to - body.length;
      options.push({ label, from, to, text: plainText(body.replaceAll('|', ' ')), asked });
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
  const at = units.findLastIndex(
    ({ text, item }) => !item && text.length > 25 && AGENT_CUES.asks.test(straight(text)),
  );
  const question = units[at];
  if (!question) return undefined;
  const previous = units[at - 1];
  const context =
    previous && !previous.item && !AGENT_CUES.narrates.test(straight(previous.text)) ? previous : undefined;
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
