import { type Exchange, exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import { withStatedDetails } from '../../core/layers/exchanges/stated-details.ts';
import type { ExchangeRecord } from '../../core/model/exchange.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { readL1 } from '../find/read-l1.ts';
import type { SessionRow } from '../find/sessions.ts';
import type { World } from '../world.ts';
import { sessionExchanges } from './exchanges.ts';
import { type ConceptRow, partsOf } from './join-concepts.ts';
import { withModelSummaries } from './model-summaries.ts';
import { currentStatements } from './statements.ts';

/** An exchange with the words that started it in full. */
export type FullExchange = Exchange & ExchangeRecord;

/** A session as asks and what each caused, with what each came to. */
export async function fullExchanges(world: World, row: SessionRow): Promise<FullExchange[]> {
  const made = await sessionExchanges(world, row.projectId, row);
  const worded = await withModelSummaries(world, row, made);
  const stated = withStatedDetails(made, await currentStatements(world, row.projectId, row));
  const byId = new Map(
    worded.map((record, at) => [record.id, record.details === made[at]!.details ? stated[at]! : record]),
  );
  return exchangesOf(row.sessionId, await readL1(world, row)).flatMap((exchange) => {
    const record = byId.get(exchange.id);
    return record ? [{ ...record, ...exchange }] : [];
  });
}

/** The exchanges of a concept, in their order. */
export async function conceptExchanges(world: World, concept: ConceptRow): Promise<ExchangeRecord[]> {
  const found: ExchangeRecord[] = [];
  for (const { projectId, exchanges, sessions } of partsOf(concept)) {
    const manifest = (await world.archive.open(projectId))?.manifest;
    const wanted = new Set(exchanges);
    for (const session of sessions) {
      const record = manifest?.sessions[session];
      if (record)
        found.push(...(await statedExchanges(world, projectId, record)).filter(({ id }) => wanted.has(id)));
    }
  }
  const place = new Map(concept.exchanges.map((id, index) => [id, index]));
  return found.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}

async function statedExchanges(
  world: World,
  project: ProjectId,
  session: SessionRecord,
): Promise<ExchangeRecord[]> {
  const made = await sessionExchanges(world, project, session);
  return withStatedDetails(made, await currentStatements(world, project, session));
}
