import { engineFor } from '../model/use.ts';
import { withoutUndefined } from '../without-undefined.ts';
import type { World } from '../world.ts';
import { masterByModel, pageByModel } from './model.ts';
import { openJournal } from './place.ts';
import { summarizedSession } from './summarize.ts';

type Ask = {
  project?: string | undefined;
  scope?: string | undefined;
  model?: string | undefined;
  budget?: number | undefined;
};

/** What a model wrote, and lines of it that no source supports. */
export type WrittenByModel = { text: string; dropped: string[] };

/** Tokens that footer and mark take. */
const FOOTER = 200;

/** A page that a model wrote, where one is named or turned on; undefined: it is made offline. */
export async function pageByUse(
  world: World,
  id: string | undefined,
  ask: Ask,
  signal?: AbortSignal,
): Promise<WrittenByModel | undefined> {
  if (ask.model === 'extractive') return undefined;
  const row = await summarizedSession(world, withoutUndefined({ id, project: ask.project }));
  const engine = await engineFor(world, 'summaries', row.projectId, ask.model);
  return engine && pageByModel(world, engine, row, signal);
}

/** A master that a model wrote, where one is named or turned on; undefined: it is made offline. */
export async function masterByUse(
  world: World,
  ask: Ask,
  signal?: AbortSignal,
): Promise<WrittenByModel | undefined> {
  if (ask.model === 'extractive') return undefined;
  const { project } = await openJournal(world, ask.project);
  const engine = await engineFor(world, 'synthesis', project, ask.model);
  if (!engine) return undefined;
  const { config } = await world.settings.resolve((await world.archive.head(project))?.settings);
  const budget = Math.max(1, (ask.budget ?? config.synthesis.maxTokens) - FOOTER);
  return masterByModel(world, engine, { project: ask.project, scope: ask.scope, budget }, signal);
}
