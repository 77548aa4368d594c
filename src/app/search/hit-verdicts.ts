import type { World } from '../world.ts';
import type { SearchHit } from './hits.ts';
import { type SessionVerdicts, sessionVerdicts } from './session-verdicts.ts';

/** Hits with the verdict on what was taken back later in their session: `rejected: “…”` or `replaced by: “…”`. */
export async function withVerdicts(world: World, hits: readonly SearchHit[]): Promise<SearchHit[]> {
  const sessions = new Map<string, Promise<SessionVerdicts>>();
  return Promise.all(
    hits.map(async (hit) => {
      // A passage says it behind the sentence.
      if (hit.kind !== 'turn' || hit.passage !== undefined) return hit;
      const { project, place } = hit;
      const key = `${project}/${place.file}`;
      const known =
        sessions.get(key) ?? sessionVerdicts(world, { project, file: place.file, name: hit.sessionId });
      sessions.set(key, known);
      const { takenBack } = await known;
      const verdict = takenBack.find(({ src, was }) => src === hit.src && hit.text.includes(was))?.verdict;
      return verdict === undefined ? hit : { ...hit, verdict };
    }),
  );
}
