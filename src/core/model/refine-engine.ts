/** Grows whenever the same bytes would be refined differently: older states are dropped and L1 is rebuilt by the next sync. */
export const REFINE_ENGINE = 15;

/** Whether an older version of Keepsake refined a session: it may have taken a notice for someone's words. 0: not read yet. */
export function isOutdated({ engine }: { engine: number }): boolean {
  return engine > 0 && engine < REFINE_ENGINE;
}
