import { masterByUse, pageByUse, type WrittenByModel } from '../../../app/journal/by-use.ts';
import type { Cli } from '../cli.ts';
import { plural } from '../terminal/quantities.ts';

type Options = { project?: string; scope?: string; model?: string; budget?: number };

/** A page that a model wrote, where one is named or turned on; undefined: it is made offline. */
export async function writtenPage(
  cli: Cli,
  id: string | undefined,
  options: Options,
): Promise<string | undefined> {
  return writtenText(cli, await pageByUse(await cli.world(), id, options, cli.signal()));
}

/** The same of a master. */
export async function writtenMaster(cli: Cli, options: Options): Promise<string | undefined> {
  return writtenText(cli, await masterByUse(await cli.world(), options, cli.signal()));
}

function writtenText(cli: Cli, written: WrittenByModel | undefined): string | undefined {
  const { text, dropped = [] } = written ?? {};
  if (dropped.length > 0)
    cli.console.note(
      `${plural(dropped.length, 'line')} of the model left out, because the sources do not support them.`,
    );
  for (const line of dropped.slice(0, 5)) cli.console.note(`  ${line}`);
  return text;
}
