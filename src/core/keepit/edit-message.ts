import { detectKeepits, type Keepit, type KeepitExtent } from './detect.ts';
import { blankInjected } from './find-markers.ts';

/** What the words of a marker shall weigh in a message; without a weight they are to be plain text. */
export type WantedMarker = { content: string; weight: number | undefined; extent?: KeepitExtent };

/** `start..end` of the text at `index` is replaced; several, in order. */
export type TextEdit = { index: number; cuts: { start: number; end: number; insert: string }[] };
export type Edited = { edit: TextEdit } | { same: true } | { wrong: string };

const CLOSING = '##/keepit##';
const TAG = /^##keepit(\d+\.\d{2})##/i;

/**
 * The edits that give these words this weight: new digits in their marker, a new marker before them, or their marker removed.
 * Never an edit that would change what another marker keeps.
 */
export function editMessage(texts: string[], wanted: WantedMarker): Edited {
  const marked = texts.flatMap((text, index) =>
    markersIn(text, wanted).flatMap((keepit) =>
      keepit.content === wanted.content ? [{ index, keepit }] : [],
    ),
  );
  if (marked.length > 1) return { wrong: 'the same words are marked twice in this message' };
  const [found] = marked;
  const edited = found ? editTag(texts, found, wanted.weight) : addTag(texts, wanted);
  if (!('edit' in edited)) return edited;
  return keepsOthers(texts, edited.edit, wanted)
    ? edited
    : { wrong: 'it would change what another keepit of this message covers, or how code is parsed' };
}

/** The text with the cuts made. */
export function withCuts(text: string, cuts: TextEdit['cuts']): string {
  let out = '';
  let done = 0;
  for (const { start, end, insert } of cuts) {
    out += text.slice(done, start) + insert;
    done = end;
  }
  return out + text.slice(done);
}

function editTag(
  texts: string[],
  { index, keepit }: { index: number; keepit: Keepit },
  weight: number | undefined,
): Edited {
  const text = texts[index]!;
  const [tag = '', digits = ''] = TAG.exec(text.slice(keepit.start)) ?? [];
  if (weight === undefined) {
    const space = text[keepit.start + tag.length] === ' ' ? 1 : 0;
    const cuts = [{ start: keepit.start, end: keepit.start + tag.length + space, insert: '' }];
    if (keepit.end > keepit.contentEnd)
      cuts.push({ start: keepit.end - CLOSING.length, end: keepit.end, insert: '' });
    return { edit: { index, cuts } };
  }
  if (keepit.weight === weight) return { same: true };
  const end = keepit.start + tag.length - 2;
  return { edit: { index, cuts: [{ start: end - digits.length, end, insert: weight.toFixed(2) }] } };
}

function addTag(texts: string[], wanted: WantedMarker): Edited {
  const { content, weight } = wanted;
  if (weight === undefined) return { same: true };
  const places = texts.flatMap((text, index) =>
    placesOf(blankInjected(text), content).map((at) => ({ index, at })),
  );
  const [place] = places;
  if (!place) return { wrong: 'its text is no longer in this message' };
  if (places.length > 1) return { wrong: `its text appears in this message ${places.length} times` };
  const { index, at } = place;
  const opening = { start: at, end: at, insert: `##keepit${weight.toFixed(2)}## ` };
  const end = at + content.length;
  const closing = { start: end, end, insert: CLOSING };
  const open = { index, cuts: [opening] };
  // A closing mark only where the words would otherwise not end where they shall.
  return { edit: keepsOthers(texts, open, wanted) ? open : { index, cuts: [opening, closing] } };
}

/** Whether the edit does what was wanted and leaves every other marker as it is. */
function keepsOthers(texts: string[], { index, cuts }: TextEdit, wanted: WantedMarker): boolean {
  const text = texts[index]!;
  const others = (of: string) =>
    markersIn(of, wanted)
      .filter((keepit) => keepit.content !== wanted.content)
      .map(({ weight, content }) => `${weight} ${content}`);
  const after = withCuts(text, cuts);
  const own = markersIn(after, wanted).filter((keepit) => keepit.content === wanted.content);
  const asWanted =
    wanted.weight === undefined ? own.length === 0 : own.length === 1 && own[0]!.weight === wanted.weight;
  return asWanted && JSON.stringify(others(text)) === JSON.stringify(others(after));
}

function markersIn(text: string, { extent }: WantedMarker): Keepit[] {
  return detectKeepits(blankInjected(text), extent === undefined ? {} : { extent });
}

function placesOf(text: string, words: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) places.push(at);
  return places;
}
