import { cutAtWord } from '../text/sentences.ts';
import { termsOf } from '../text/terms.ts';
import { telling } from './telling.ts';

/** Something that may be told: a sentence, and how much it is worth by where it stands. */
export type Unit = { text: string; quality: number };

/** What was done: told in the past, or as it is now. */
const DONE =
  /\b(?:fixed|added|updated|implemented|changed|removed|created|moved|renamed|replaced|refactored|resolved|committed|pushed|merged|restored|extracted|introduced|split|wrote|deleted|improved|corrected|reverted|now (?:works?|pass(?:es)?|uses?|shows?|returns?|handles?|supports?)|no longer|pass(?:es|ed)?)\b|(?:hinzugefügt|behoben|geändert|entfernt|erstellt|umbenannt|ersetzt)|(?:しました|修正|追加|変更|削除)|(?:已|完成|修复|添加|删除|更新)|(?:했습니다|수정|추가|변경|삭제)/iu;
const FOUND =
  /\b(?:because|caused? by|the (?:issue|problem|cause|reason|bug) (?:is|was)|turns out|root cause)\b/i;
/** Talk about the talk: offers, announcements, thanks. */
const TALK =
  /^(?:let me|i'll|i will|i'm going to|now,? (?:let me|i)|would you|want me|should i|do you want|shall i|if you(?:'d| would)? |let me know|great|perfect|good|sure|okay|here(?:'s| is| are)|looking at|first,|next,|you're (?:absolutely )?right|good (?:catch|point|question))\b/i;
const LOGGED = /^[{[<]|^\d{4}-\d\d-\d\d[T ]|^(?:at|File) \S+[:(]|^[\w./-]+:\d+:/;
const LIST_LEAD = /:$/;
/** Later words of one kind tell less. */
const DECAY = 0.5;
/** "Changes Made" tells nothing. */
const FEWEST_TERMS = 3;

/**
 * The units that cover most of what they are about together in so many characters, in their order. Each word counts by the
 * root of how often it stands in them, less each time it is told.
 */
export function summarise(units: Unit[], longest: number): string {
  const counts = new Map<string, number>();
  for (const unit of units) for (const term of termsIn(unit)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const all = units.map((unit, place) => prepare(unit, place, longest));
  const full = all.filter(({ terms }) => terms.size >= FEWEST_TERMS);
  const ready = full.length > 0 ? full : all;
  const told = new Map<string, number>();
  const chosen: Prepared[] = [];
  let room = longest;
  for (;;) {
    const best = bestOf(ready, chosen, told, counts, chosen.length === 0 ? longest : room);
    if (!best) break;
    chosen.push(best);
    room -= best.text.length + 2;
    for (const term of best.terms) told.set(term, (told.get(term) ?? 0) + 1);
  }
  return joined(chosen.sort((a, b) => a.place - b.place).map(({ text }) => text));
}

function joined(texts: string[]): string {
  return texts.reduce((whole, text) => {
    const plain = whole.replace(/:$/, '');
    return plain === '' ? text : `${plain}${/[.!?…。！？;]["')\]]*$/.test(plain) ? '' : ';'} ${text}`;
  }, '');
}

type Prepared = { text: string; terms: Set<string>; quality: number; place: number };

function prepare(unit: Unit, place: number, longest: number): Prepared {
  const cut = cutAtWord(unit.text, longest);
  const terms = new Set(cut.endsWith('…') ? termsOf(cut) : termsIn(unit));
  return { text: cut, terms, quality: unit.quality * shape(cut), place };
}

const known = new WeakMap<Unit, string[]>();

/** Taken apart once, however many summaries a unit may stand in. */
function termsIn(unit: Unit): string[] {
  const terms = known.get(unit) ?? termsOf(unit.text);
  known.set(unit, terms);
  return terms;
}

function bestOf(
  units: Prepared[],
  chosen: Prepared[],
  told: Map<string, number>,
  counts: Map<string, number>,
  room: number,
): Prepared | undefined {
  let best: Prepared | undefined;
  let most = 0;
  for (const unit of units) {
    if (unit.text.length > room || chosen.includes(unit)) continue;
    let gain = 0;
    for (const term of unit.terms) {
      gain += Math.sqrt(counts.get(term) ?? 1) * telling(term) * DECAY ** (told.get(term) ?? 0);
    }
    // Long sentences cover more of everything: what counts is how much a stretch of text tells.
    const worth = (gain * unit.quality) / (unit.text.length + 20) ** 0.6;
    if (worth > most) [best, most] = [unit, worth];
  }
  return best;
}

/** How good a sentence is by its own form. */
function shape(text: string): number {
  let quality = 1;
  if (DONE.test(text)) quality *= 1.8;
  if (FOUND.test(text)) quality *= 1.3;
  if (TALK.test(text)) quality *= 0.35;
  if (/[?？]["')\]]*$/.test(text)) quality *= 0.5;
  if (LOGGED.test(text)) quality *= 0.1;
  if (LIST_LEAD.test(text)) quality *= 0.4;
  if (text.length < 12) quality *= 0.5;
  return quality;
}
