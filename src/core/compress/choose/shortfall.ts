import type { Selection } from '../write/render-lines.ts';
import { unitsBetween } from './fill-up.ts';
import type { Zone } from './zones.ts';

/** Why a version is not as long as it may be, for a person. */
export const SHORTFALLS = {
  'kept-is-longer': (tokens: number, allowed: number) =>
    `Kept content alone takes ${tokens} tokens; the ratio allows ${allowed}.`,
  'nothing-so-short': (_: number, allowed: number) =>
    `The ratio allows ${allowed} tokens; no message is that short.`,
  'nothing-fits': (tokens: number, allowed: number) =>
    `${tokens} of ${allowed} tokens used; nothing else fits into the rest.`,
  'rest-is-over': (tokens: number, allowed: number) =>
    `${tokens} of ${allowed} tokens used; the rest was withdrawn, repeated later, or is tool output.`,
  'all-said': (tokens: number, allowed: number) =>
    `${tokens} of ${allowed} tokens used; the session has no more content.`,
};
type Shortfall = keyof typeof SHORTFALLS;

export function shortfallOf(
  selection: Selection,
  zones: Zone[],
  { tokens, allowed, isOut }: { tokens: number; allowed: number; isOut: (unit: number) => boolean },
): Shortfall | undefined {
  if (tokens > allowed) return 'kept-is-longer';
  if (tokens >= 0.95 * allowed && tokens > 0) return undefined;
  const rest = zones.flatMap((zone) =>
    zone.way === 'fit'
      ? [...unitsBetween(selection, zone.from, zone.to)].filter((unit) => !selection.chosen[unit])
      : [],
  );
  if (rest.length === 0) return 'all-said';
  if (tokens === 0) return 'nothing-so-short';
  return rest.every(isOut) ? 'rest-is-over' : 'nothing-fits';
}
