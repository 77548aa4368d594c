import { given } from '../../app/given.ts';
import { openJournal } from '../../app/journal-place.ts';
import { masterByModel, pageByModel } from '../../app/model-journal.ts';
import { engineFor } from '../../app/model-use.ts';
import { sessionOf } from '../../app/summarize.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Cli } from './cli.ts';
import { plural } from './terminal/quantities.ts';

type Options = { project?: string; scope?: string; model?: string; budget?: number };

/** Tokens that footer and mark take. */
const FOOTER = 200;

/** A page that a model wrote, where one is named or turned on; undefined: it is made offline. */
export async function pageByUse(
  cli: Cli,
  id: string | undefined,
  options: Options,
): Promise<string | undefined> {
  const world = await cli.world();
  if (options.model === 'extractive') return undefined;
  const row = await sessionOf(world, given({ id, project: options.project }));
  const engine = await engineFor(world, 'summaries', row.projectId as ProjectId, options.model);
  if (!engine) return undefined;
  const { text, dropped } = await pageByModel(world, engine, row, cli.signal());
  noteDropped(cli, dropped);
  return text;
}

/** A master that a model wrote, where one is named or turned on; undefined: it is made offline. */
export async function masterByUse(cli: Cli, options: Options): Promise<string | undefined> {
  const world = await cli.world();
  if (options.model === 'extractive') return undefined;
  const { project } = await openJournal(world, options.project);
  const engine = await engineFor(world, 'synthesis', project, options.model);
  if (!engine) return undefined;
  const { config } = await world.settings.resolve((await world.archive.head(project))?.settings);
  const budget = Math.max(1, (options.budget ?? config.synthesis.maxTokens) - FOOTER);
  const asked = { project: options.project, scope: options.scope, budget };
  const { text, dropped } = await masterByModel(world, engine, asked, cli.signal());
  noteDropped(cli, dropped);
  return text;
}

function noteDropped(cli: Cli, dropped: string[]): void {
  if (dropped.length === 0) return;
  cli.console.note(
    `${plural(dropped.length, 'line')} of the model left out: nothing that was said bears it out.`,
  );
  for (const line of dropped.slice(0, 5)) cli.console.note(`  ${line}`);
}
