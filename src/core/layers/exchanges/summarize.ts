import { cutAtWord } from '../../text/sentences.ts';
import { termsOf } from '../../text/terms.ts';
import { termWeight } from '../term-weight.ts';

/** A candidate for a summary: a sentence, and how much it is worth by its place. */
export type SummaryUnit = { text: string; quality: number };

/** What was done: in the past tense, or as it is now. */
const DONE =
  /\b(?:fixed|added|updated|implemented|changed|removed|created|moved|renamed|replaced|refactored|resolved|committed|pushed|merged|restored|extracted|introduced|split|wrote|deleted|improved|corrected|reverted|now (?:works?|pass(?:es)?|uses?|shows?|returns?|handles?|supports?)|no longer|pass(?:es|ed)?)\b|behoben|entfernt|erstellt|umbenannt|ersetzt/i;
const DONE_ELSEWHERE =
  /hinzugefügt|geändert|(?:しました|修正|追加|変更|削除)|(?:已|完成|修复|添加|删除|更新)|(?:했습니다|수정|추가|변경|삭제)/iu;
const FOUND =
  /\b(?:because|caused? by|the (?:issue|problem|cause|reason|bug) (?:is|was)|turns out|root cause)\b/i;
/** Talk about the talk: offers, announcements, thanks. */
const TALK =
  /^(?:let me|i'll|i will|i'm going to|now,? (?:let me|i)|would you|want me|should i|do you want|shall i|if you(?:'d| would)? |let me know|great|perfect|good|sure|okay|here(?:'s| is| are)|looking at|first,|next,|you're (?:absolutely )?right|good (?:catch|point|question))\b/i;
const LOGGED = /^[{[<]|^\d{4}-\d\d-\d\d[T ]|^(?:at|File) \S+[:(]|^[\w./-]+:\d+:/;
const LIST_LEAD = /:$/;
const PLAIN = /^[ -~]*$/;
/** A word counts less each time it is repeated. */
const REPEAT_FACTOR = 0.5;
/** "Changes Made" says nothing. */
const FEWEST_TERMS = 3;

/**
 * The units that together cover most of the content within this many characters, in their order. A word counts by the square
 * root of its frequency, and less each time it is used.
 */
export function summarize(units: SummaryUnit[], longest: number): string {
  const words = new Words();
  const terms = units.map(({ text }) => termsOf(text));
  for (const own of terms) for (const term of own) words.count(term);
  const all = units.map((unit, place): Prepared => {
    const text = cutAtWord(unit.text, longest);
    const numbers = words.numbersOf(text.endsWith('…') ? termsOf(text) : terms[place]!);
    return { text, terms: numbers, quality: unit.quality * shape(text), place, used: false };
  });
  const worths = words.worths();
  const full = all.filter(({ terms }) => terms.length >= FEWEST_TERMS);
  const ready = full.length > 0 ? full : all;
  const chosen: Prepared[] = [];
  let room = longest;
  for (;;) {
    const best = bestOf(ready, worths, chosen.length === 0 ? longest : room);
    if (!best) break;
    chosen.push(best);
    best.used = true;
    room -= best.text.length + 2;
    for (const term of best.terms) worths[term]! *= REPEAT_FACTOR;
  }
  return joined(chosen.sort((a, b) => a.place - b.place).map(({ text }) => text));
}

/** Words by number: a summary needs each of them again and again. */
class Words {
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  readonly #counts: number[] = [];

  count(term: string): void {
    const known = this.#numbers.get(term);
    if (known === undefined) this.#add(term);
    else this.#counts[known]!++;
  }

  #add(term: string): number {
    const number = this.#terms.push(term) - 1;
    this.#numbers.set(term, number);
    this.#counts.push(1);
    return number;
  }

  worths(): number[] {
    return this.#terms.map((term, at) => Math.sqrt(this.#counts[at]!) * termWeight(term));
  }

  /** Each once; half a word, where a sentence was cut, counts as one of its own. */
  numbersOf(terms: string[]): number[] {
    const found: number[] = [];
    for (const term of terms) {
      const number = this.#numbers.get(term) ?? this.#add(term);
      if (!found.includes(number)) found.push(number);
    }
    return found;
  }
}

function joined(texts: string[]): string {
  return texts.reduce((whole, text) => {
    const plain = whole.replace(/:$/, '');
    return plain === '' ? text : `${plain}${/[.!?…。！？;]["')\]]*$/.test(plain) ? '' : ';'} ${text}`;
  }, '');
}

type Prepared = { text: string; terms: number[]; quality: number; place: number; used: boolean };

function bestOf(units: Prepared[], worths: number[], room: number): Prepared | undefined {
  let best: Prepared | undefined;
  let most = 0;
  for (const unit of units) {
    if (unit.used || unit.text.length > room) continue;
    let gain = 0;
    for (const term of unit.terms) gain += worths[term]!;
    // Long sentences cover more of everything: what counts is how much a stretch of text covers.
    const worth = (gain * unit.quality) / (unit.text.length + 20) ** 0.6;
    if (worth > most) [best, most] = [unit, worth];
  }
  return best;
}

/** How good a sentence is by its own form. */
function shape(text: string): number {
  let quality = 1;
  if (DONE.test(text) || (!PLAIN.test(text) && DONE_ELSEWHERE.test(text))) quality *= 1.8;
  if (FOUND.test(text)) quality *= 1.3;
  if (TALK.test(text)) quality *= 0.35;
  if (/[?？]["')\]]*$/.test(text)) quality *= 0.5;
  if (LOGGED.test(text)) quality *= 0.1;
  if (LIST_LEAD.test(text)) quality *= 0.4;
  if (text.length < 12) quality *= 0.5;
  return quality;
}
