export type DiffLine = { sign: ' ' | '+' | '-'; text: string };

/** Lines that stay and are further than `around` from a change become one row that counts them. */
export function foldDiff(diff: readonly DiffLine[], around: number): (DiffLine | { folded: number })[] {
  const near = new Uint8Array(diff.length);
  for (const [at, { sign }] of diff.entries()) {
    if (sign === ' ') continue;
    const from = Math.max(0, at - around);
    const to = Math.min(diff.length - 1, at + around);
    for (let it = from; it <= to; it++) near[it] = 1;
  }
  const rows: (DiffLine | { folded: number })[] = [];
  for (const [at, line] of diff.entries()) {
    const last = rows.at(-1);
    if (near[at] === 1) rows.push(line);
    else if (last && 'folded' in last) last.folded++;
    else rows.push({ folded: 1 });
  }
  return rows;
}
