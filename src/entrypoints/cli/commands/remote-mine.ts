import type { Command } from 'commander';
import { claimDevice } from '../../../app/remote/own-devices.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { type Cli, commonOptions, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';

export function defineMine(command: Command, cli: Cli): void {
  const mine = command
    .command('mine')
    .description('Say that another machine in a place that a team shares is yours, too.')
    .argument('<device>', 'its name or the beginning of its id, as `status` lists it')
    .option('--remote <remote>', 'which remote, where there are several');
  commonOptions(mine);
  examples(mine, 'remote mine 3f2a91c0');
  mine.action(async (device: string, options: { remote?: string }) => {
    const asked = { device, ...withoutUndefined({ remote: options.remote }) };
    const done = await claimDevice(await cli.world('nothing'), asked);
    if (cli.console.json) return cli.console.printJson(done);
    cli.console.print(
      `${cleanLine(done.name)} (${done.device.slice(0, 8)}) is yours. What it sends from now on counts as your own.`,
    );
  });
}
