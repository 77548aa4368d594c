import type { KeepitOutcome } from '../../model/version.ts';
import type { KeptPlace } from '../kept-places.ts';
import type { Zone } from './zones.ts';

/** Takes kept content out of turns that are left out, unless it weighs enough, and notes it in the markers' outcomes. */
export function dropKept(
  zones: Zone[],
  kept: Map<number, KeptPlace[]>,
  outcomes: KeepitOutcome[],
  stays: number,
): KeepitOutcome[] {
  const gone = new Set<string>();
  for (const zone of zones) {
    if (zone.way !== 'drop') continue;
    for (let turn = zone.from; turn < zone.to; turn++) {
      const places = kept.get(turn);
      if (!places) continue;
      const staying = places.filter((place) => place.weight >= stays);
      for (const place of places) {
        if (!staying.includes(place)) for (const marker of place.markers) gone.add(marker);
      }
      if (staying.length === 0) kept.delete(turn);
      else kept.set(turn, staying);
    }
  }
  return outcomes.map((outcome) =>
    gone.has(outcome.markerId)
      ? { ...outcome, survives: false, why: `${outcome.why}; its message is omitted` }
      : outcome,
  );
}
