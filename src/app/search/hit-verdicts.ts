import type { World } from '../world.ts';
import type { SearchHit } from './hits.ts';
import { VerdictReader } from './session-verdicts.ts';

/** Hits with the verdict on what was withdrawn later: `rejected: “…”` or `replaced by: “…”`. */
export async function withVerdicts(world: World, hits: readonly SearchHit[]): Promise<SearchHit[]> {
  const verdicts = new VerdictReader(world);
  return Promise.all(
    hits.map(async (hit) => {
      // A passage says it behind the sentence.
      if (hit.kind !== 'turn' || hit.passage !== undefined) return hit;
      const { project, place } = hit;
      const { takenBack } = await verdicts.of({ project, file: place.file, name: hit.sessionId });
      const verdict = takenBack.find(({ src, was }) => src === hit.src && hit.text.includes(was))?.verdict;
      return verdict === undefined ? hit : { ...hit, verdict };
    }),
  );
}
