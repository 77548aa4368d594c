/** A bucket that fills evenly with time and is emptied by use. */
export type Bucket = { level: number; at: number };

export type RateRule = { perMinute: number };

/** A minute's worth may be used at once. */
export function take(
  bucket: Bucket | undefined,
  { perMinute }: RateRule,
  { amount, now }: { amount: number; now: number },
): { bucket: Bucket; isAllowed: boolean; waitMs: number } {
  const before = bucket ?? { level: perMinute, at: now };
  // A clock that goes back gives nothing and takes nothing.
  const passed = Math.max(0, now - before.at);
  const level = Math.min(perMinute, before.level + (passed * perMinute) / 60_000);
  const at = Math.max(now, before.at);
  // What is larger than a whole minute's worth needs a full bucket, or it would never pass.
  const needed = Math.min(amount, perMinute);
  if (level < needed)
    return { bucket: { level, at }, isAllowed: false, waitMs: ((needed - level) * 60_000) / perMinute };
  return { bucket: { level: level - needed, at }, isAllowed: true, waitMs: 0 };
}

/** Whether a bucket is as good as none: it can be forgotten. */
export function isFull({ level, at }: Bucket, { perMinute }: RateRule, now: number): boolean {
  return level + ((now - at) * perMinute) / 60_000 >= perMinute;
}
