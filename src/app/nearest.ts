/** The words nearest to one that was not found, best first; only those that a slip of the hand explains. */
export function nearest(word: string, choices: Iterable<string>, most = 3): string[] {
  const wanted = word.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const near: { choice: string; distance: number }[] = [];
  for (const choice of choices) {
    const distance = distanceOf(wanted, choice.toLowerCase(), allowed);
    if (distance <= allowed) near.push({ choice, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.choice < b.choice ? -1 : 1));
  return near.slice(0, most).map((found) => found.choice);
}

/** Insertions, deletions, replacements and swaps of neighbors; stops counting beyond `limit`. */
function distanceOf(a: string, b: string, limit: number): number {
  if (b.startsWith(a)) return a === b ? 0 : 1;
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, before[j - 2]! + 1);
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
