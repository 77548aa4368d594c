import type { ModelExchange } from '../../core/layers/read.ts';
import type { ExchangeRecord } from '../../core/model/exchange.ts';
import { shortHash } from '../../core/model/ids.ts';
import { fields, oneOf, record, text } from '../../core/model/shape.ts';
import type { SessionRow } from '../find/sessions.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** What a model said of exchanges, beside what is made offline: that stays as it is. */
type ModelSummaryFile = { format: 1; exchanges: Record<string, ModelExchange & { of: string; by: string }> };

export const MODEL_SUMMARIES: StoredKind<ModelSummaryFile> = {
  schema: fields({
    format: oneOf(1),
    exchanges: record(fields({ summary: text, details: text, of: text, by: text })),
  }),
  format: ['format', 1],
  damaged: 'Keepsake uses its offline summaries of exchanges until a model writes new ones.',
};

const FOLDER = 'summaries';
const NAME = 'exchanges.model.json';

/** The records with what a model said of them, where it did and they are still the same. */
export async function withModelSummaries<T extends ExchangeRecord>(
  world: World,
  row: SessionRow,
  records: T[],
): Promise<T[]> {
  const { exchanges } = await readModelSummaries(world, row);
  return records.map((record) => {
    const summary = exchanges[record.id];
    return summary?.of === stateOf(record)
      ? { ...record, summary: summary.summary, details: summary.details }
      : record;
  });
}

/** Changes when the exchange does. */
export function stateOf({ l1_range: [from, to], summary, details, outcome }: ExchangeRecord): string {
  return shortHash(JSON.stringify([from, to, summary, details, outcome]), 12);
}

export function modelSummaryFile(row: SessionRow): string {
  return `${FOLDER}/${row.sessionId}/${NAME}`;
}

export async function readModelSummaries(world: World, row: SessionRow): Promise<ModelSummaryFile> {
  const { value } = await readStored(world, row.projectId, modelSummaryFile(row), MODEL_SUMMARIES);
  return { format: 1, exchanges: Object.assign(Object.create(null), value?.exchanges) };
}
