import type { INJECTED_AT } from '../model/injection.ts';

/** Tokens that hooks added on a day, by when they were added. */
export type InjectionDay = { day: string } & Record<(typeof INJECTED_AT)[number], number>;

/** Days with an injection, oldest first. `dayOf` gives the user's own day of a UTC time. */
export function injectionDays(
  injections: Iterable<{ at: string; on: (typeof INJECTED_AT)[number]; tokens: number }>,
  dayOf: (time: string) => string,
): InjectionDay[] {
  const days = new Map<string, InjectionDay>();
  for (const { at, on, tokens } of injections) {
    const day = dayOf(at);
    const known = days.get(day) ?? { day, start: 0, prompt: 0, action: 0, compaction: 0 };
    known[on] += tokens;
    days.set(day, known);
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
