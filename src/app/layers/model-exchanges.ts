import { askExchanges, exchangeSource } from '../../core/layers/ask.ts';
import { type ModelExchange, readModelExchanges } from '../../core/layers/read.ts';
import type { ExchangeRecord } from '../../core/model/exchange.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { readL1 } from '../find/read-l1.ts';
import type { SessionRow } from '../find/sessions.ts';
import { inParallel } from '../in-parallel.ts';
import { askModel } from '../model/call.ts';
import { type Engine, engineLabel, type ModelOptions } from '../model/engine.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { sessionExchanges } from './exchanges.ts';
import { modelSummaryFile, readModelSummaries, stateOf } from './model-summaries.ts';

/** Exchanges a call. */
const BATCH = 8;

export type SummarizedExchanges = { summarized: number; missing: number };

/** Has a model sum up every exchange of a session that it has not summed up as it is now. */
export async function summarizeExchanges(
  world: World,
  engine: Engine,
  row: SessionRow,
  options: ModelOptions = {},
): Promise<SummarizedExchanges> {
  const pending = await pendingExchanges(world, row);
  const lines = pending.length === 0 ? [] : await readL1(world, row);
  const items = pending.map((record) => {
    const [from, to] = record.l1_range;
    return { record, source: exchangeSource(lines.slice(from - 1, to)) };
  });
  const batches: (typeof items)[] = [];
  for (let from = 0; from < items.length; from += BATCH) batches.push(items.slice(from, from + BATCH));
  const done = { summarized: 0, missing: 0 };
  const progress = { done: 0, total: batches.length, cached: 0 };
  await inParallel(batches, engine.settings.atOnce, async (batch) => {
    const sources = batch.map(({ source }) => source);
    const request = { use: 'exchanges' as const, ...askExchanges(sources), ...placeOf(row) };
    const answer = await askModel(world, engine, request, {
      signal: options.signal,
      isSound: (text, end) => readModelExchanges(text, end, sources).size > 0,
    });
    const summaries = readModelExchanges(answer.text, answer.end, sources);
    await store(world, row, engine, new Map([...summaries].map(([at, it]) => [batch[at]!.record, it])));
    done.summarized += summaries.size;
    done.missing += batch.length - summaries.size;
    progress.done++;
    options.onProgress?.({ ...progress });
  });
  return done;
}

/** Exchanges whose summary by a model is missing, or older than they are. */
export async function pendingExchanges(world: World, row: SessionRow): Promise<ExchangeRecord[]> {
  const records = await sessionExchanges(world, row.projectId, row);
  const stored = (await readModelSummaries(world, row)).exchanges;
  return records.filter((record) => !record.summary || stored[record.id]?.of !== stateOf(record));
}

function placeOf(row: SessionRow): { project: ProjectId; session: string } {
  return { project: row.projectId, session: row.sessionId };
}

/** One after the other: two answers that come at once must not lose each other. */
let writing: Promise<void> = Promise.resolve();

async function store(
  world: World,
  row: SessionRow,
  engine: Engine,
  summaries: Map<ExchangeRecord, ModelExchange>,
): Promise<void> {
  const write = async () => {
    const file = await readModelSummaries(world, row);
    for (const [record, it] of summaries)
      file.exchanges[record.id] = { ...it, of: stateOf(record), by: engineLabel(engine) };
    const text = `${JSON.stringify(file, null, 1)}\n`;
    await world.archive.files.write(row.projectId, modelSummaryFile(row), text);
  };
  const before = writing;
  writing = (async () => {
    // A failed call was already reported to its own caller.
    await orFault(before);
    await write();
  })();
  await writing;
}
