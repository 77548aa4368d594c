import type { ProjectId } from '../../core/model/ids.ts';
import { readIndex } from '../../core/rolling/index-file.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import { nameByModel, pendingNames } from '../layers/model-concepts.ts';
import { pendingExchanges, summarizeExchanges } from '../layers/model-exchanges.ts';
import { pendingReviews, type Reviewed, reviewByModel } from '../layers/model-reviews.ts';
import { pendingStatements, wordStatements } from '../layers/model-statements.ts';
import type { Engine, ModelOptions } from '../model/engine.ts';
import { summarizeByModel } from '../rolling/model-archives.ts';
import { INDEX_FILE } from '../rolling/rolling-memory.ts';
import { writeSummaries } from '../rolling/summaries.ts';
import type { World } from '../world.ts';

/** What a model can do for a project at any time; journal pages are written when they are asked for. */
export const RUNNABLE = ['exchanges', 'concepts', 'statements', 'reviews', 'archives'] as const;
export type Runnable = (typeof RUNNABLE)[number];

export type ModelRun = { use: Runnable; done: number; missing: number; reviewed?: Reviewed[] };

/** What waits for a model. Asks nothing. */
export async function pendingFor(
  world: World,
  use: Runnable,
  project: ProjectId,
  session?: string,
): Promise<number> {
  switch (use) {
    case 'exchanges': {
      let pending = 0;
      for (const row of await rowsOf(world, project, session))
        pending += (await pendingExchanges(world, row)).length;
      return pending;
    }
    case 'concepts':
      return (await pendingNames(world, project)).length;
    case 'statements': {
      let pending = 0;
      for (const row of await rowsOf(world, project, session))
        pending += (await pendingStatements(world, row)).length;
      return pending;
    }
    case 'reviews':
      return (await pendingReviews(world, project)).length;
    case 'archives':
      return (await pendingArchives(world, project)).length;
  }
}

/** Has a model do what waits for it. What was answered stays done when it stops half-way. */
export async function runModel(
  world: World,
  engine: Engine,
  { use, project, session }: { use: Runnable; project: ProjectId; session?: string },
  options: ModelOptions = {},
): Promise<ModelRun> {
  switch (use) {
    case 'exchanges': {
      const sum: ModelRun = { use, done: 0, missing: 0 };
      for (const row of await rowsOf(world, project, session)) {
        const { summarized, missing } = await summarizeExchanges(world, engine, row, options);
        sum.done += summarized;
        sum.missing += missing;
      }
      return sum;
    }
    case 'concepts': {
      const { named, missing } = await nameByModel(world, engine, project, options);
      return { use, done: named, missing };
    }
    case 'statements': {
      const sum: ModelRun = { use, done: 0, missing: 0 };
      for (const row of await rowsOf(world, project, session)) {
        const { worded, missing } = await wordStatements(world, engine, row, options);
        sum.done += worded;
        sum.missing += missing;
      }
      return sum;
    }
    case 'reviews': {
      const pending = (await pendingReviews(world, project)).length;
      const reviewed = await reviewByModel(world, engine, project, options.signal);
      return { use, done: reviewed.length, missing: pending - reviewed.length, reviewed };
    }
    case 'archives': {
      let done = 0;
      for (const file of await pendingArchives(world, project)) {
        const byModel = (name: string, text: string) =>
          summarizeByModel(world, engine, { project, file: name, text }, options.signal);
        done += (await writeSummaries(world, project, { file, again: true }, byModel)).length;
      }
      return { use, done, missing: 0 };
    }
  }
}

async function rowsOf(world: World, project: ProjectId, session: string | undefined): Promise<SessionRow[]> {
  const rows = (await allSessions(world, project)).filter(({ registered }) => registered);
  return session === undefined ? rows : rows.filter(({ sessionId }) => sessionId === session);
}

/** Archives of memory.md without a summary, or with one that was made offline. */
async function pendingArchives(world: World, project: ProjectId): Promise<string[]> {
  const { files } = world.archive;
  const { index } = readIndex((await files.read(project, INDEX_FILE))?.toString());
  const pending: string[] = [];
  for (const { file, summary } of index.rotatedFiles) {
    const text = (await files.read(project, `memory/${summary}`))?.toString('utf8') ?? '';
    if (!/^ {2}"by": "/m.test(text)) pending.push(file);
  }
  return pending;
}
