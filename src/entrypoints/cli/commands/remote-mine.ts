import type { Command } from 'commander';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { type Cli, commonOptions, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';

export function defineMine(command: Command, cli: Cli): void {
  const mine = command
    .command('mine')
    .description("Mark another machine on a team's remote as yours.")
    .argument('<device>', 'its name or an id prefix (listed by `status`)')
    .option('--remote <remote>', 'the remote, if there are several');
  commonOptions(mine);
  examples(mine, 'remote mine 3f2a91c0');
  mine.action(async (device: string, options: { remote?: string }) => {
    const asked = { device, ...withoutUndefined({ remote: options.remote }) };
    const { claimDevice } = await import('../../../app/remote/own-devices.ts');
    const done = await claimDevice(await cli.world('nothing'), asked);
    if (cli.console.json) return cli.console.printJson(done);
    cli.console.print(
      `${cleanLine(done.name)} (${done.device.slice(0, 8)}) is yours. What it sends from now on counts as yours.`,
    );
  });
}
