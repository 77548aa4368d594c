/** A number from here to there, both included. */
export type NumberRule = { is: 'number'; from: number; to: number; whole?: true };

export function fitsNumber({ from, to, whole }: NumberRule, value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < from || value > to) return false;
  return !whole || Number.isSafeInteger(value);
}

/** Of `hooks.everyToolCalls` and `hooks.everyStops`. Apart from the others: what counts events loads nothing else. */
export const EVERY: NumberRule = { is: 'number', from: 1, to: 1000, whole: true };
export const EVERY_DEFAULTS = { everyToolCalls: 25, everyStops: 5 };
