const DAY_MS = 86_400_000;
/** Longer than any vacation: a clock that jumped this far ahead may be wrong. */
const LONGEST_GAP_DAYS = 120;
/** Fewer than this are no mass, whatever their share. */
const FEW = 20;

/** What the archive knows of time: the latest moment that it wrote down, and when something was last looked at. */
export type KnownTimes = { latest: string; last: string | undefined };

/** Why nothing may be deleted by age now: a sentence; undefined where the clock is credible. */
export function clockDoubt(now: string, known: KnownTimes): string | undefined {
  const time = Date.parse(now);
  const ahead = (Date.parse(known.latest) - time) / DAY_MS;
  if (ahead > 1)
    return `The clock says ${now.slice(0, 10)}, but the archive has entries of ${known.latest.slice(0, 10)}. Retention deletes nothing until the clock is right.`;
  const since = known.last ?? known.latest;
  const gap = (time - Date.parse(since)) / DAY_MS;
  if (gap > LONGEST_GAP_DAYS)
    return `${Math.floor(gap)} days passed since ${since.slice(0, 10)}, or the clock is wrong. Retention deletes nothing this time.`;
  return undefined;
}

/** Whether so much would be deleted at once that a person should check it first. */
export function isMass(pruned: number, total: number): boolean {
  return pruned > FEW && pruned * 2 > total;
}
