const ROTATION_THRESHOLD_TOKENS = 25_000;
const CARRYOVER_TOKENS = 2500;
const SAFETY_MARGIN = 0.05;

export type Limits = { rotateAbove: number; carryOver: number };

/** In tokens. Both leave a margin of 5 %, since counters differ. */
export const LIMITS: Limits = {
  rotateAbove: ROTATION_THRESHOLD_TOKENS * (1 - SAFETY_MARGIN),
  carryOver: CARRYOVER_TOKENS * (1 - SAFETY_MARGIN),
};

/** A file that is longer than this was not rotated as it should have been. */
export const OVERSIZED_TOKENS = ROTATION_THRESHOLD_TOKENS;

export type CountTokens = (text: string) => number;
