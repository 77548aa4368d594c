import { nextTick, type ShallowRef, shallowRef } from 'vue';
import type { Line } from '../../api/records.ts';
import { widenRange } from '../../markdown/widen-range.ts';
import type { Editing } from '../keepits/editing.ts';
import { keptAt, type Marker } from './message-marks.ts';

type Range = { start: number; end: number };

/** The editor of a keepit beside its message. Whoever opened it gets the focus back, else `focusList` is called. */
export function useKeepEditing(
  lines: Readonly<ShallowRef<Line[]>>,
  markersOf: (line: Line) => readonly Marker[],
  focusList: () => void,
) {
  const editing = shallowRef<Editing>();
  let opener: HTMLElement | undefined;

  function remember(): void {
    const { activeElement } = document;
    opener =
      activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : undefined;
  }
  /** What is kept already is changed, not kept once more. */
  function keep(line: Line, range: Range | undefined): void {
    const kept = keptAt(line, markersOf(line), range);
    if (kept) edit(line, kept);
    else keepWhole(line, range);
  }
  function keepWhole(line: Line, range?: Range): void {
    remember();
    const text = line.text ?? '';
    const whole = { start: 0, end: text.length };
    editing.value = { line: line.line, src: line.src, range: range ?? whole, text, weight: 0.75 };
  }
  function keepSelected(number: number, range: Range): void {
    const line = lines.value.find((it) => it.line === number);
    if (line) keep(line, widenRange(line.text ?? '', range));
  }
  function edit(line: Line, marker: Marker): void {
    remember();
    editing.value = { line: line.line, marker, weight: marker.weight };
  }
  function close(): void {
    editing.value = undefined;
    void nextTick(() => (opener?.isConnected ? opener.focus({ preventScroll: true }) : focusList()));
  }

  return { editing, keep, keepWhole, keepSelected, edit, close };
}
