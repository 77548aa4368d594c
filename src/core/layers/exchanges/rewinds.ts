/** The user went back to the ask at byte `to` of the original, and asked again at byte `src`. */
export type Rewind = { src: number; to: number };

/** The same stretches of the original in order, none touching another. */
export function apart(rewinds: Rewind[]): Rewind[] {
  const found: Rewind[] = [];
  for (const { src, to } of rewinds.toSorted((a, b) => a.to - b.to)) {
    const last = found.at(-1);
    if (last && to <= last.src) last.src = Math.max(last.src, src);
    else if (to < src) found.push({ src, to });
  }
  return found;
}

/** Whether a byte is in one of them. */
export function isRewound(stretches: Rewind[], place: number): boolean {
  let [from, end] = [0, stretches.length];
  while (from < end) {
    const middle = (from + end) >> 1;
    if (stretches[middle]!.src > place) end = middle;
    else from = middle + 1;
  }
  return from < stretches.length && stretches[from]!.to <= place;
}
