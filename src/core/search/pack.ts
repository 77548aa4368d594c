import { quote, shortened, wholeLines } from './recall-text.ts';

/** Something remembered, with where it is from. */
export type PackedPiece = {
  /** The heading it is under. */
  section: string;
  /** One line: session, time, who, exchange. */
  source: string;
  /** As it was said; it is quoted when it is put in. */
  text: string;
  /** Never shortened: in or out. */
  whole?: true;
  /** Shortened by whole lines, or left out. */
  byLine?: true;
  /** What it takes below its heading at most, where that was counted when it was made. */
  tokens?: number;
};

/** A piece that is put in, with as much of its text as fits. */
export type TakenPiece<P extends PackedPiece = PackedPiece> = { piece: P; text: string };

export type Packed<P extends PackedPiece> = {
  /** Empty when not even the first piece fits. */
  text: string;
  tokens: number;
  included: P[];
  taken: TakenPiece<P>[];
  /** Pieces that did not fit. */
  left: number;
};

type Count = (text: string) => number;

/** Less of a text than this is useless. */
const LEAST_ROOM = 40;
const LEAST_UNITS = 80;
/** Of a list. */
const LEAST_LIST = 160;

/**
 * As many pieces as fit the budget, in their order; one that is too long is shortened, later ones may still fit. Never
 * over the budget, whatever counts.
 */
export function pack<P extends PackedPiece>(
  title: string,
  pieces: P[],
  budget: number,
  countText: Count,
): Packed<P> {
  const count = lastCounted(countText);
  const taken: TakenPiece<P>[] = [];
  let spent = count(`${title}\n`);
  let section = '';
  for (const piece of pieces) {
    const room = budget - spent;
    if (room < LEAST_ROOM && !piece.whole) continue;
    const heading = piece.section === section ? '' : piece.section;
    const text = fitting(piece, heading, room, count);
    if (text === undefined) continue;
    taken.push({ piece, text });
    spent += count(rendered(piece, text, heading));
    section = piece.section;
  }
  // Counts of parts need not add up to the count of the whole.
  for (;;) {
    const text = taken.length === 0 ? '' : wholeText(title, taken);
    const tokens = text === '' ? 0 : count(text);
    if (text === '' || tokens <= budget) {
      const included = taken.map(({ piece }) => piece);
      return { text, tokens, included, taken, left: pieces.length - taken.length };
    }
    taken.pop();
  }
}

/** What fits is counted again right after. */
function lastCounted(count: Count): Count {
  let [last, cost] = ['', count('')];
  return (text) => {
    if (text !== last) [last, cost] = [text, count(text)];
    return cost;
  };
}

function wholeText(title: string, taken: TakenPiece[]): string {
  const parts = underHeading(taken).map(({ piece, text, heading }) => rendered(piece, text, heading));
  return `${title}\n${parts.join('')}`;
}

/** Each with the heading before it; empty where it is below that of the piece before. */
export function underHeading(taken: readonly TakenPiece[]): (TakenPiece & { heading: string })[] {
  let section = '';
  return taken.map(({ piece, text }) => {
    const heading = piece.section === section ? '' : piece.section;
    section = piece.section;
    return { piece, text, heading };
  });
}

function rendered(piece: PackedPiece, text: string, heading: string): string {
  return `${heading === '' ? '' : `\n## ${heading}\n`}\n${piece.source}\n${quote(text)}\n`;
}

/** The text, or as much of it as fits; undefined when that would be next to nothing. */
function fitting(piece: PackedPiece, heading: string, room: number, count: Count): string | undefined {
  const fits = (text: string) => count(rendered(piece, text, heading)) <= room;
  if (fits(piece.text)) return piece.text;
  if (piece.whole) return undefined;
  const cut = piece.byLine ? wholeLines : shortened;
  let low = 0;
  // A token is seldom more than 8 characters: nothing longer can fit.
  let high = Math.min(piece.text.length, room * 8);
  while (high - low > 8) {
    const middle = (low + high) >> 1;
    if (fits(cut(piece.text, middle))) low = middle;
    else high = middle;
  }
  const text = cut(piece.text, low);
  const isCrumb = piece.byLine ? text.length < LEAST_LIST : low < LEAST_UNITS;
  return isCrumb ? undefined : text;
}
