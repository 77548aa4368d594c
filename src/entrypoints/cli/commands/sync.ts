import { resolve } from 'node:path';
import { sync } from '../../../app/sync.ts';
import type { SyncReport } from '../../../app/sync-report.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { printReport } from '../print-report.ts';

export const defineSync: Define = (command, cli) => {
  command.option('--from <dir...>', 'look in these folders instead, this time only');
  commonOptions(command);
  examples(command, 'sync', 'sync --from /backup/claude/projects');
  command.action(async (options: { from?: string[] }) => {
    const from = options.from?.map((folder) => resolve(cli.host.environment.cwd, folder));
    const report = await syncWithProgress(cli, from);
    const { places } = await cli.world();
    printReport(report, cli.console, `No transcripts in ${(from ?? places.claudeProjects).join(', ')}.`);
  });
};

/** A sync with its bar; shared with the bare command. */
export async function syncWithProgress(cli: Cli, from?: string[]): Promise<SyncReport> {
  const world = await cli.world();
  const bar = cli.console.progress('Reading', world.clock.millis);
  try {
    return await sync(world, {
      ...(from === undefined ? {} : { from }),
      onProgress: (state) => bar.show({ ...state, current: lastPart(state.current) }),
      signal: cli.signal(),
    });
  } finally {
    bar.end();
  }
}

export function lastPart(path: string | undefined): string | undefined {
  return path?.split(/[\\/]/).at(-1);
}
