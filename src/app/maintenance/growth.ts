import { type GrowthDay, growthByDay } from '../../core/stats/growth.ts';
import { allSessions } from '../find/sessions.ts';
import { allFacts, type FactRow } from '../layers/facts.ts';
import type { World } from '../world.ts';

/** What each day added to memory, of everything or of one project. */
export async function readGrowth(world: World, project?: string): Promise<GrowthDay[]> {
  const rows = (await allSessions(world, project)).filter(({ registered }) => registered);
  const facts = (await allFacts(world, project)).filter(({ kind }) => kind !== 'candidate');
  return growthByDay(
    {
      facts: facts.map((fact) => ({ kind: fact.kind, time: firstSaid(fact) })),
      keepits: rows.flatMap(({ keepitMarkers }) =>
        keepitMarkers.map(({ createdAt }) => ({ time: createdAt })),
      ),
      sessions: rows.map((row) => ({ time: row.firstTimestamp, bytes: row.originalBytes })),
    },
    (time) => world.clock.local(time).slice(0, 10),
  );
}

function firstSaid({ sources, last_validated }: FactRow): string {
  return (
    sources.reduce((first, { ts }) => (ts !== '' && (first === '' || ts < first) ? ts : first), '') ||
    last_validated
  );
}
