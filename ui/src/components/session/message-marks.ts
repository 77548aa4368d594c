import type { Line, Session } from '../../api/records.ts';
import type { Mark } from '../../markdown/split-by-marks.ts';

export type Marker = Session['keepitMarkers'][number];

/** The markers of each message, by the place of its line in the original. */
export function markersBySource(markers: readonly Marker[]): Map<number, Marker[]> {
  const found = new Map<number, Marker[]>();
  for (const marker of markers) {
    const here = found.get(marker.src);
    if (here) here.push(marker);
    else found.set(marker.src, [marker]);
  }
  return found;
}

/** Where the kept words are in the text that is shown. It may differ from the original where a secret was taken out. */
export function marksIn(line: Pick<Line, 'text'>, markers: readonly Marker[]): Mark[] {
  const text = line.text ?? '';
  const marks: Mark[] = [];
  for (const { markerId, weight, content, position } of markers) {
    const words = content.trim();
    const near = text.indexOf(words, position.start);
    const at = near >= 0 && near < position.end ? near : text.indexOf(words);
    if (words !== '' && at >= 0) marks.push({ id: markerId, weight, start: at, end: at + words.length });
  }
  return marks;
}

/** The keepit that the selected words are a part of; of the whole message the one that has most of it. */
export function keptAt(
  line: Pick<Line, 'text'>,
  markers: readonly Marker[],
  range: { start: number; end: number } | undefined,
): Marker | undefined {
  const marks = marksIn(line, markers).filter(
    ({ start, end }) => range === undefined || (start <= range.start && range.end <= end),
  );
  const [most] = marks.sort((a, b) => b.end - b.start - (a.end - a.start));
  // Where a secret was taken out, the words are not found, but they are of this message.
  const id = most?.id ?? (range === undefined ? markers[0]?.markerId : undefined);
  return markers.find((it) => it.markerId === id);
}
