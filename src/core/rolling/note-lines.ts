import { shortHash } from '../model/ids.ts';
import { compare, type Stamp } from '../model/record-order.ts';

/**
 * A line of a note as a record: where it was put (`after` another one), and whether it was deleted. Lines of the time before
 * records have no stamp; their place in the file orders them.
 */
export type NoteLine = {
  id: string;
  after: string;
  text: string;
  gone?: true;
  /** Secrets in it were masked on the way: it gives way to the same line as it was. */
  masked?: true;
} & (Stamp | { place: number });

const START = '';
/** Lines that are compared with each other; in a larger change all that is between its ends counts as new. */
const MOST_COMPARED = 4_000_000;

/** Lines of a note that was written before there were records: the same words give the same ids everywhere. */
export function linesOfText(text: string): NoteLine[] {
  const times = new Map<string, number>();
  return splitLines(text).map((line, place) => {
    const time = (times.get(line) ?? 0) + 1;
    times.set(line, time);
    return { id: `l_${shortHash(`${time}\0${line}`, 12)}`, after: START, text: line, place };
  });
}

/** Every line of both; deleted in one is deleted. Any order and number of merges gives the same. */
export function mergeLines(mine: readonly NoteLine[], theirs: readonly NoteLine[]): NoteLine[] {
  const merged = new Map(mine.map((line) => [line.id, line]));
  for (const line of theirs) {
    const known = merged.get(line.id);
    merged.set(line.id, known ? bothLines(known, line) : line);
  }
  return [...merged.values()].sort((a, b) => compare(a.id, b.id));
}

function bothLines(a: NoteLine, b: NoteLine): NoteLine {
  const gone = a.gone || b.gone ? { gone: true as const } : {};
  const whole = a.masked ? b : a;
  return 'place' in a && 'place' in b
    ? { ...whole, place: Math.min(a.place, b.place), ...gone }
    : { ...whole, ...gone };
}

/** The lines that exist, in order: each behind the one it was put after, the later put first. */
function visibleLines(lines: readonly NoteLine[]): NoteLine[] {
  const below = new Map<string, NoteLine[]>();
  const known = new Set(lines.map(({ id }) => id));
  for (const line of lines) {
    const after = known.has(line.after) ? line.after : START;
    const others = below.get(after);
    if (others) others.push(line);
    else below.set(after, [line]);
  }
  for (const others of below.values()) others.sort(laterFirst);
  const visible: NoteLine[] = [];
  const waiting = [...(below.get(START) ?? [])].reverse();
  for (let line = waiting.pop(); line; line = waiting.pop()) {
    if (!line.gone) visible.push(line);
    waiting.push(...[...(below.get(line.id) ?? [])].reverse());
  }
  return visible;
}

function laterFirst(a: NoteLine, b: NoteLine): number {
  if ('place' in a && 'place' in b) return a.place - b.place || compare(a.id, b.id);
  if ('place' in a) return 1;
  if ('place' in b) return -1;
  return b.hlc - a.hlc || compare(b.device, a.device) || compare(b.id, a.id);
}

export function textOfLines(lines: readonly NoteLine[]): string {
  const visible = visibleLines(lines);
  return visible.length === 0 ? '' : `${visible.map(({ text }) => text).join('\n')}\n`;
}

/** The records once the note reads so: what is no longer there is deleted, what is new is put behind the line before it. */
export function editedLines(lines: readonly NoteLine[], text: string, stamp: Stamp): NoteLine[] {
  const before = visibleLines(lines);
  const wanted = splitLines(text);
  const kept = keptLines(before, wanted);
  const gone = new Set(before.filter((_, at) => !kept.has(at)).map(({ id }) => id));
  const stay = new Map([...kept].map(([at, to]) => [to, before[at]!]));
  const made: NoteLine[] = [];
  let after = START;
  for (const [at, line] of wanted.entries()) {
    const id =
      stay.get(at)?.id ?? `l_${shortHash(`${stamp.hlc}\0${stamp.device}\0${after}\0${at}\0${line}`, 12)}`;
    if (!stay.has(at)) made.push({ id, after, text: line, ...stamp });
    after = id;
  }
  if (made.length === 0 && gone.size === 0) return [...lines];
  return mergeLines(
    lines.map((line) => (gone.has(line.id) ? { ...line, gone: true as const } : line)),
    made,
  );
}

/** Which lines stay, by their old and new places: a longest common sequence between what is the same at both ends. */
function keptLines(before: NoteLine[], wanted: string[]): Map<number, number> {
  const kept = new Map<number, number>();
  let start = 0;
  while (start < before.length && start < wanted.length && before[start]!.text === wanted[start]) {
    kept.set(start, start);
    start++;
  }
  let [a, b] = [before.length, wanted.length];
  while (a > start && b > start && before[a - 1]!.text === wanted[b - 1]) kept.set(--a, --b);
  const [rows, columns] = [a - start, b - start];
  if (rows === 0 || columns === 0 || rows * columns > MOST_COMPARED) return kept;
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      longest[i * width + j] =
        before[start + i]!.text === wanted[start + j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  for (let [i, j] = [0, 0]; i < rows && j < columns; ) {
    if (before[start + i]!.text === wanted[start + j]) kept.set(start + i++, start + j++);
    else if (longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!) i++;
    else j++;
  }
  return kept;
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
