/** What a store gave may be anything: undefined where a library throws at it. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
