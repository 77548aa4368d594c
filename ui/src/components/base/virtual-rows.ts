/** Where each row begins, and after the last one where the list ends. */
export function startsOf(heights: Float64Array): Float64Array<ArrayBuffer> {
  const starts = new Float64Array(heights.length + 1);
  moveStarts(starts, heights, 0);
  return starts;
}

/** Heights changed from this row on: what comes after it begins elsewhere. */
export function moveStarts(starts: Float64Array, heights: Float64Array, from: number): void {
  let at = starts[from] ?? 0;
  for (let row = from; row < heights.length; row++) {
    at += heights[row] ?? 0;
    starts[row + 1] = at;
  }
}

/** The rows that touch the pixels from `from` to `to`: first, and one past the last; never more than `most`. */
export function rowsIn(starts: Float64Array, from: number, to: number, most: number): [number, number] {
  const count = starts.length - 1;
  if (count <= 0) return [0, 0];
  const first = Math.min(rowAt(starts, Math.max(0, from)), count - 1);
  const last = Math.min(rowAt(starts, Math.max(0, to)) + 1, count, first + most);
  return [first, Math.max(first, last)];
}

/** The row that a pixel is in. */
function rowAt(starts: Float64Array, pixel: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= pixel) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What an element scrolls in. */
export function scrollerOf(element: HTMLElement): HTMLElement {
  for (let at = element.parentElement; at; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return document.documentElement;
}
