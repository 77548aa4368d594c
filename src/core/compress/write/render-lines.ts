import { firstWords } from '../clip-at-word.ts';
import type { KeptPlace } from '../kept-places.ts';
import type { Turn } from '../turn.ts';
import { joinUnits } from '../units/join-units.ts';
import type { Unit } from '../units/unit.ts';
import { goesOn, paragraphs } from './paragraphs.ts';
import { resultLines } from './result-lines.ts';
import { toolLines } from './tool-lines.ts';
import type { VersionLine } from './version-line.ts';

/** How much is said around the content; a budget that is too small for more gets less. */
export type Frame = {
  /** Headings with times, without them, or nothing that separates an ask from an answer. */
  headings: 'timed' | 'plain' | 'none';
  /** A request of which nothing was chosen appears in its heading with this many characters, cut at a word. */
  askWords: number;
  /** Whether kept content is marked. */
  marks: boolean;
  /** Whether exchanges that were left out are mentioned. */
  gaps: boolean;
};

/** Nothing but the content. */
export const BARE: Frame = { headings: 'none', askWords: 0, marks: false, gaps: false };

/** From the fullest to the barest. */
export const FRAMES: readonly Frame[] = [
  { headings: 'timed', askWords: 80, marks: true, gaps: true },
  { headings: 'timed', askWords: 80, marks: true, gaps: false },
  { headings: 'plain', askWords: 40, marks: true, gaps: false },
  { headings: 'plain', askWords: 40, marks: false, gaps: false },
  BARE,
];

export type Selection = {
  turns: Turn[];
  units: Unit[];
  /** The first unit of each turn; one more at the end. */
  firstUnit: number[];
  /** By turn. */
  kept: Map<number, KeptPlace[]>;
  chosen: Uint8Array;
  /** By turn: laid out in paragraphs, what was said before what tools did. */
  terse: Uint8Array;
  /** People talk with each other: an answer needs no ask above it. */
  isChat: boolean;
  /** A heading above says the days of these turns. */
  isDated?: boolean;
};

/** The chosen units and the kept content of the turns `from` to `to` (exclusive), as the lines of a version. */
export function renderLines(
  selection: Selection,
  frameAt: (turn: number) => Frame,
  from: number,
  to: number,
): VersionLine[] {
  const { turns, isChat } = selection;
  const lines: VersionLine[] = [];
  let [gapFrom, gapExchanges] = [-1, 0];
  const [first, last] = [turns[from]?.line.ts, turns[to - 1]?.line.ts];
  const dated = selection.isDated && first?.slice(0, 10) === last?.slice(0, 10) ? first : undefined;
  const closeGap = (end: number) => {
    if (gapFrom !== -1 && !isChat && frameAt(gapFrom).gaps)
      lines.push(gapLine(turns, gapFrom, end, gapExchanges));
    [gapFrom, gapExchanges] = [-1, 0];
  };
  for (let start = from; start < to; ) {
    let end = start + 1;
    while (end < to && turns[end]!.exchange === turns[start]!.exchange) end++;
    const own: VersionLine[] = [];
    for (let turn = start; turn < end; turn++) renderTurn(selection, turn, frameAt(turn), own);
    const isTerse = selection.terse[start] === 1;
    if (own.length > 0) {
      closeGap(start);
      const heading = isChat
        ? dayHeading(turns[start]!, own, frameAt(start), lines.at(-1)?.ts ?? dated)
        : headingOf(selection, start, own, frameAt(start));
      if (heading) lines.push(heading);
      for (const line of isTerse ? paragraphs(own) : own)
        if (!isChat || !selection.isDated || !goesOn(lines.at(-1), line)) lines.push(line);
    } else {
      if (gapFrom === -1) gapFrom = start;
      gapExchanges++;
    }
    start = end;
  }
  closeGap(to);
  return lines;
}

function renderTurn(selection: Selection, index: number, frame: Frame, lines: VersionLine[]): void {
  const turn = selection.turns[index]!;
  const { line } = turn;
  const chosen: number[] = [];
  for (let unit = selection.firstUnit[index]!; unit < selection.firstUnit[index + 1]!; unit++) {
    if (selection.chosen[unit] && !leadsNowhere(selection, unit, index)) chosen.push(unit);
  }
  const places = selection.kept.get(index) ?? [];
  if (chosen.length === 0 && places.length === 0) return;
  const source = { ts: line.ts, l1: [turn.at], src: [line.src], exchange: turn.exchange };
  if (line.role === 'tool') {
    const units = chosen.map((unit) => selection.units[unit]!);
    toolLines(selection.turns, index, units, lines);
    resultLines(turn, units, lines);
  }
  const spoken = chosen.filter((unit) => isSpokenUnit(selection.units[unit]!));
  let next = 0;
  const speak = (before: number) => {
    const stretch: number[] = [];
    while (next < spoken.length && selection.units[spoken[next]!]!.start < before)
      stretch.push(spoken[next++]!);
    if (stretch.length === 0) return;
    const text = joinUnits(line.text ?? '', selection.units, stretch, selection.terse[index] === 1);
    const name = line.name !== undefined && line.role !== 'tool' ? { name: line.name } : {};
    lines.push({
      form: 'said',
      role: line.role === 'tool' ? 'assistant' : line.role,
      text,
      ...name,
      ...(frame.headings === 'none' ? { frame: 'none' as const } : {}),
      ...source,
    });
  };
  for (const place of places) {
    speak(place.start === -1 ? Number.POSITIVE_INFINITY : place.start);
    lines.push({
      form: 'kept',
      role: line.role,
      text: place.text,
      ...source,
      kept: place.markers,
      ...(frame.marks ? { weight: place.weight } : {}),
    });
  }
  speak(Number.POSITIVE_INFINITY);
  const notice = chosen.find((unit) => selection.units[unit]!.kind === 'notice');
  if (notice !== undefined) {
    lines.push({ form: 'gap', role: 'system', text: selection.units[notice]!.text, ...source });
  }
}

/** A heading or a line that leads to others, none of which is there. */
function leadsNowhere({ units, chosen, terse, firstUnit }: Selection, unit: number, turn: number): boolean {
  const { cues } = units[unit]!;
  if (terse[turn] !== 1 || !(cues.has('leads') || (cues.has('heading') && !cues.has('done')))) return false;
  for (let other = unit + 1; other < firstUnit[turn + 1]!; other++)
    if (chosen[other] && units[other]!.ties.includes(unit)) return false;
  return true;
}

const UNSPOKEN = new Set([
  'header',
  'file',
  'read',
  'error',
  'command',
  'notice',
  'commit',
  'todo',
  'report',
]);

function isSpokenUnit({ kind, total }: Unit): boolean {
  return total === 0 && !UNSPOKEN.has(kind);
}

/** Between people nobody asks: the first message of a day has its time. */
function dayHeading(
  { line }: Turn,
  own: VersionLine[],
  { headings }: Frame,
  before: string | undefined,
): VersionLine | undefined {
  const [first] = own;
  const isSameDay = before?.slice(0, 10) === line.ts.slice(0, 10);
  if (headings !== 'timed' || first?.form !== 'said' || isSameDay) return undefined;
  own.shift();
  return { ...first, form: 'ask' };
}

/** The ask itself where its words come first, else a heading of its own. */
function headingOf(
  selection: Selection,
  start: number,
  own: VersionLine[],
  frame: Frame,
): VersionLine | undefined {
  const turn = selection.turns[start]!;
  const { line } = turn;
  const first = own[0]!;
  const abandoned = turn.abandoned ? { abandoned: true as const } : {};
  const shown = frame.headings === 'timed' ? {} : { frame: frame.headings };
  if (line.role === 'user' && first.form === 'said' && first.l1[0] === turn.at) {
    own.shift();
    return { ...first, form: 'ask', ...abandoned, ...shown };
  }
  const untimed = frame.headings !== 'timed';
  // Kept content is enough on its own if there is no room for more.
  if (untimed && own.every(({ form }) => form === 'kept')) return undefined;
  const words = selection.kept.has(start) ? '' : askWords(selection, start, frame.askWords);
  if (untimed && words === '') return undefined;
  const name = line.role === 'user' && line.name !== undefined && words !== '' ? { name: line.name } : {};
  return {
    form: 'ask',
    role: line.role === 'tool' ? 'system' : line.role,
    text: words,
    ...name,
    ts: line.ts,
    l1: [turn.at],
    src: [line.src],
    ...abandoned,
    ...shown,
    exchange: turn.exchange,
  };
}

function askWords({ turns }: Selection, start: number, longest: number): string {
  const { line } = turns[start]!;
  if (line.role !== 'user' || longest === 0) return '';
  if (line.sent === undefined) return openingWords(line.text ?? '', longest);
  for (let i = start - 1; i >= 0; i--) {
    if (turns[i]!.line.src === line.sent) return openingWords(turns[i]!.line.text ?? '', longest);
  }
  return '';
}

/** A first word that is longer than that, a path or a link, is included anyway. */
function openingWords(text: string, longest: number): string {
  return firstWords(text, longest) || firstWords(text, 4 * longest);
}

function gapLine(turns: Turn[], from: number, to: number, exchanges: number): VersionLine {
  const [first, last] = [turns[from]!, turns[to - 1]!];
  const ends = first === last ? [first] : [first, last];
  return {
    form: 'gap',
    role: 'system',
    text: exchanges === 1 ? '1 exchange left out' : `${exchanges} exchanges left out`,
    ts: first.line.ts,
    l1: ends.map((turn) => turn.at),
    src: ends.map((turn) => turn.line.src),
    exchange: first.exchange,
  };
}
