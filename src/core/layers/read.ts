import { groundingIn } from '../text/grounding.ts';
import { redact } from '../text/redact.ts';
import { cutAtWord, sentencesOf } from '../text/sentences.ts';
import { plainAnswer, readItems } from '../text/tagged-items.ts';
import { negates, wishOf } from './facts/polarity.ts';

export type End = 'done' | 'cut' | 'refused';
export type ModelExchange = { summary: string; details: string };

const SUMMARY = 160;
const DETAILS = 600;
const LONGEST_NAME = 59;
const LONGEST_REASON = 300;
/** Of a name's words: most must be the topic's own. */
const OWN_WORDS = 0.5;
const LONGEST_STATEMENT = 320;
/** The share of a statement's words that must be quoted. */
const CARRIED = 0.6;

function itemsOf(tag: string, answer: string, end: End): Map<number, string> {
  return end === 'refused' ? new Map() : readItems(tag, redact(plainAnswer(answer)).text, end === 'done');
}

/** By the place of its source; what is not sound is not there. */
export function readModelExchanges(answer: string, end: End, sources: string[]): Map<number, ModelExchange> {
  const exchanges = new Map<number, ModelExchange>();
  for (const [number, text] of itemsOf('exchange', answer, end)) {
    const source = sources[number - 1];
    if (source === undefined) continue;
    const field = (name: string) =>
      sound(
        new RegExp(
          `^\\s*\\**${name}\\**\\s*:\\**\\s*([\\s\\S]*?)(?=^\\s*\\**(?:summary|details)\\**\\s*:|$(?![\\s\\S]))`,
          'im',
        ).exec(text)?.[1] ?? '',
        source,
      );
    const summary = field('summary');
    if (summary === '') continue;
    exchanges.set(number - 1, {
      summary: cutAtWord(summary, SUMMARY),
      details: cutAtWord(field('details') || summary, DETAILS),
    });
  }
  return exchanges;
}

/** Names by the place of their topic. Two of the same are none. */
export function readNames(
  answer: string,
  end: End,
  sources: string[],
  taken: ReadonlySet<string>,
): Map<number, string> {
  const names = new Map<number, string>();
  const used = new Set(taken);
  for (const [number, text] of itemsOf('topic', answer, end)) {
    const source = sources[number - 1];
    const name = (text.split('\n')[0] ?? '')
      .replace(/[`*"“”]|^name:\s*/gi, '')
      .replace(/[.\s]+$/, '')
      .trim();
    if (source === undefined || name === '' || name.length > LONGEST_NAME || used.has(name.toLowerCase()))
      continue;
    const grounding = groundingIn(source);
    if (grounding.unknownIn(name).length > 0 || grounding.share(name) < OWN_WORDS) continue;
    used.add(name.toLowerCase());
    names.set(number - 1, name);
  }
  return names;
}

/** One sentence for these statements, by their positions; it was written for the first. */
export type WordedStatement = { text: string; of: number[] };

/** Sentences that the quotations of every statement they are for carry; others are not there. */
export function readStatements(answer: string, end: End, sources: string[]): WordedStatement[] {
  const worded = new Map<number, WordedStatement>();
  const same: [at: number, of: number][] = [];
  for (const [number, text] of itemsOf('statement', answer, end)) {
    const [at, source] = [number - 1, sources[number - 1]];
    if (source === undefined) continue;
    const [, other] = /^\W*same as\W*(\d{1,4})\W*$/i.exec(text) ?? [];
    if (other !== undefined) same.push([at, Number(other) - 1]);
    else if (isCarried(text, source)) worded.set(at, { text: text.replace(/\s+/g, ' '), of: [at] });
  }
  for (const [at, of] of same) {
    const known = worded.get(of);
    if (known && at !== of && isCarried(known.text, sources[at]!)) known.of.push(at);
  }
  return [...worded.values()];
}

/** Names nothing that the quotations do not name, is mostly in their words, and not their contrary. */
function isCarried(text: string, source: string): boolean {
  if (text === '' || text.length > LONGEST_STATEMENT || sentencesOf(text).length > 2) return false;
  const grounding = groundingIn(source);
  if (grounding.unknownIn(text).length > 0 || grounding.share(text) < CARRIED) return false;
  const wish = wishOf(text);
  return !sentencesOf(source).some((quoted) => negates(wishOf(quoted), wish));
}

export type ReviewVerdict = { verdict: 'keep' | 'drop' | 'unsure'; why: string };

/** Verdicts by the position of their fact. A verdict whose reason is not in the input is dropped. */
export function readReviews(answer: string, end: End, sources: string[]): Map<number, ReviewVerdict> {
  const verdicts = new Map<number, ReviewVerdict>();
  for (const [number, text] of itemsOf('fact', answer, end)) {
    const source = sources[number - 1];
    const [, verdict, reason = ''] = /^\W*(keep|drop|unsure)\W*:\s*([\s\S]*)$/i.exec(text) ?? [];
    const why = source === undefined ? '' : sound(reason, source);
    if (verdict === undefined || why === '') continue;
    verdicts.set(number - 1, {
      verdict: verdict.toLowerCase() as ReviewVerdict['verdict'],
      why: cutAtWord(why, LONGEST_REASON),
    });
  }
  return verdicts;
}

/** The sentences that name nothing but what is in the source. */
function sound(text: string, source: string): string {
  const grounding = groundingIn(source);
  return sentencesOf(text)
    .filter((sentence) => grounding.unknownIn(sentence).length === 0 && grounding.share(sentence) > 0.2)
    .join(' ');
}
