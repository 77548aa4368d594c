/** Tokens in this many equal time steps from first to last: a chart of when the work was done. */
export function activitySteps(work: readonly { time: string; tokens: number }[], steps: number): number[] {
  const dated = work
    .map(({ time, tokens }) => ({ at: Date.parse(time), tokens }))
    .filter(({ at }) => !Number.isNaN(at));
  if (dated.length === 0) return [];
  const first = dated.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const last = dated.reduce((most, { at }) => Math.max(most, at), first);
  const sums = Array.from({ length: steps }, () => 0);
  const width = Math.max(1, last - first) / steps;
  for (const { at, tokens } of dated) sums[Math.min(steps - 1, Math.floor((at - first) / width))]! += tokens;
  return sums;
}
