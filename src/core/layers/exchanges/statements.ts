import type { Statement } from '../../model/exchange.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { CUES, GENERAL, LOCAL, POINTS, REASON } from './statement-cues.ts';

/** Scores: an order that is meant to last, and what may become a fact when it comes again. */
export const OUTRIGHT = 1;
export const CANDIDATE = 0.45;

/** What is kept at all: below it a sentence neither makes nor breaks a rule. */
const LEAST = 0.25;
const LONGEST = 300;
/** A longer message is mostly pasted: only how it begins and how it ends are the user's own words. */
const PASTED = 1200;
const LEAD_IN =
  /^(?:(?:again|as i said|like i said|ok(?:ay)?|yes|yeah|yep|no|nope|hmm+|oh|ah|um|also|and|but|so|then|please|pls|great|well|btw|fyi|hey|sorry|actually|alright|right(?=,)|cool|nice|perfect|thanks?|thank you|one more thing|also note|note|important|rule|bitte|und|请|請)(?:[,.!:;\s–-]+|$))+/i;
const ASKS = /[?？]["')\]]*\s*$/;
const POLITE =
  /^(?:can|could|would|will) (?:you|we) (?:please )?(?=always|never|make sure|remember|stop|avoid|prefer|stick)/;
const WONDERS =
  /^(?:do|does|did|is|are|was|were|what|why|how|where|when|who|which|should|shall|would|could|can|will|have|has|i (?:wonder|think|guess|feel|mean|don'?t)|maybe|perhaps|if)\b/;
/** Refers to what was said just before or after. */
const POINTS_AROUND =
  /^(?:please )?(?:remember|save|note|keep) (?:this|that|it)(?: in mind| for (?:the future|next time|later))?\s*[.!:]?$|\badd (?:this|that|it) to (?:your )?(?:memory|claude\.md)\b/i;
const CLAUSES = /,\s+|\s+[-–—]+\s+|;\s+/;
const HYPOTHETICAL = /\b(?:wonder(?:ing)?|what if|if i |imagine|suppose|for example)\b/;
/** A line of a log, or of a program's output. */
const LOGGED = /^(?:\d{4}-\d\d-\d\dt|\d\d:\d\d|\[[^\]]*\]|[\w./-]+:\d+:|error:|warning:|---|===|usage:)/;
/** Words that the client or another program put into the user's mouth. */
const FOREIGN =
  /^(?:\s*<|Operation stopped by hook|Stop hook feedback|Caveat:|\[Request interrupted|Implement the following plan|This session is being continued|Base directory for this skill|# )/;
/** Three words and more between quotes or in code are someone else's, whatever they demand. */
const QUOTED = /"[^"\n]{8,600}"|“[^”]{8,600}”|«[^»]{8,600}»|「[^」]{4,600}」|`[^`\n]{8,400}`/g;
const THREE_WORDS = /\S\s+\S+\s+\S|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u;
/** Items of one list are what one task is to do, unless the message says that they are rules. */
const ITEM = /^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+(\S.*)$/gm;
const RULES =
  /\b(?:rules?|conventions?|guidelines|preferences|remember|from now on|going forward|in (?:the )?future|claude\.md|agents\.md)\b/i;
/** The most that a sentence scores which may be of one task, or somebody else's. */
const UNSURE = 0.95;
/** Placeholder for a quote while its sentence is judged. */
const QUOTE = '\ue000';

/** The sentences of a message that may be meant to last. Only words of the user are ever given to this. */
export function statementsIn(text: string, src: number): Statement[] {
  if (FOREIGN.test(text)) return [];
  const quotes: string[] = [];
  const own = text.replaceAll(QUOTE, '').replace(QUOTED, (quote) => {
    if (!THREE_WORDS.test(quote)) return quote;
    quotes.push(quote);
    return `${QUOTE}${quotes.length - 1}${QUOTE}`;
  });
  const whole = (sentence: string) =>
    sentence.replace(/\ue000(\d+)\ue000/g, (_, index: string) => quotes[Number(index)] ?? '');
  const sentences = sentencesOf(own);
  const items = itemsOfTask(own);
  const found: Statement[] = [];
  sentences.forEach((sentence, place) => {
    if (!isOwn(text, sentences, place) || sentence.length > LONGEST) return;
    const stated = pointedAt(sentences, place) ?? sentence;
    const { score: most, kind } =
      stated === sentence ? scoreOf(sentence) : { score: 1.1, kind: 'rule' as const };
    const isUnsure = items.some((item) => item.includes(sentence)) || (text.length > PASTED && place >= 2);
    const score = isUnsure ? Math.min(most, UNSURE) : most;
    if (score < LEAST || whole(stated).length > LONGEST) return;
    found.push({
      text: whole(stated).replace(/^\(([^()]*)\)$/, '$1'),
      kind,
      score: Math.round(score * 100) / 100,
      src,
      sentence: place,
    });
  });
  return found;
}

function itemsOfTask(text: string): string[] {
  if (RULES.test(text)) return [];
  const items = [...text.matchAll(ITEM)].map(([, item = '']) => item);
  return items.length > 1 ? items : [];
}

type Scored = { score: number; kind: Statement['kind'] };

/** How surely a sentence is meant to last, and as what. */
export function scoreOf(sentence: string): Scored {
  const plain = sentence.replace(/[’]/g, "'").toLowerCase().replace(LEAD_IN, '');
  const asked = POLITE.test(plain);
  const words = asked ? plain.replace(POLITE, '') : plain;
  const none = { score: 0, kind: 'rule' as const };
  if (!isSentence(words) || LOGGED.test(plain) || isTorn(words)) return none;
  if ((ASKS.test(words) && !asked) || words.endsWith(':')) return none;
  let [best, strongest] = [none as Scored, words];
  const clauses = HYPOTHETICAL.test(words)
    ? [words]
    : [words, ...words.split(CLAUSES).slice(1).filter(isOrder)];
  for (const clause of clauses) {
    const found = cueOf(clause.replace(LEAD_IN, ''));
    if (found.score > best.score) [best, strongest] = [found, clause.replace(LEAD_IN, '')];
  }
  if (best.score === 0) return none;
  // Where something is said of the project, "here" is the project.
  const clause = best.kind === 'rule' ? strongest : strongest.replace(/\bhere\b/g, '');
  return { ...best, score: weighed(best.score, words, clause) };
}

/** Half a quotation: the other half is in another line. */
function isTorn(words: string): boolean {
  return (words.match(/"/g)?.length ?? 0) % 2 === 1;
}

/** In the middle of a sentence "avoid", "use" and the like mostly go on with something that began before. */
function isOrder(clause: string): boolean {
  return !/^(?:avoid|stop|use|ensure|make sure|before|after|prefer)\b/.test(clause.replace(LEAD_IN, ''));
}

function cueOf(words: string): Scored {
  let best: Scored = { score: 0, kind: 'rule' };
  for (const { pattern, score, kind } of CUES)
    if (score > best.score && pattern.test(words)) best = { score, kind };
  return WONDERS.test(words) && best.score < 1 && !/^i don'?t want/.test(words)
    ? { score: 0, kind: 'rule' }
    : best;
}

function weighed(score: number, words: string, clause: string): number {
  let weight = score;
  // Said for all time it is meant so, whatever else it says.
  if (LOCAL.test(words) && score < 1.1) return 0;
  if (score >= 1) return weight;
  if (REASON.test(words)) weight += 0.25;
  if (GENERAL.test(words)) weight += 0.1;
  if (POINTS.test(clause.slice(0, REASON.exec(clause)?.index))) weight -= 0.25;
  if (words.length > 160) weight -= 0.15;
  // What only hints never counts as if it were said outright.
  return Math.min(weight, UNSURE);
}

function isSentence(words: string): boolean {
  const spaced = words.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  return (
    spaced >= 3 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{5}/u.test(words)
  );
}

function pointedAt(sentences: string[], place: number): string | undefined {
  const sentence = sentences[place]!;
  if (!POINTS_AROUND.test(sentence)) return undefined;
  if (sentence.endsWith(':')) return sentences[place + 1];
  const before = sentences.slice(0, place);
  while (before.join(' ').length > LONGEST) before.shift();
  return before.length > 0 ? before.join(' ') : sentences[place + 1];
}

function isOwn(text: string, sentences: string[], place: number): boolean {
  if (text.length <= PASTED) return true;
  return place < 2 || place >= sentences.length - 2;
}
