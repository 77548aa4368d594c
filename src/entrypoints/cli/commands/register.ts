import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { register } from '../../../app/sync/register.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { printReport } from '../print/sync-report.ts';
import { plural } from '../terminal/quantities.ts';
import { withProgress } from './sync.ts';

const LISTED = 20;

type Options = { all?: boolean; project?: string };

export const defineRegister: Define = (command, cli) => {
  command
    .argument('[target]', 'a session id, a transcript file, or a folder of them')
    .option('--all', 'all sessions of the agent')
    .option('--project <name>', 'the project, if an id is in several or the transcript names no folder');
  commonOptions(command);
  examples(command, 'register 4f2a91c0', 'register ~/old/session.jsonl --project shop', 'register --all');
  command.action(async (target: string | undefined, options: Options) => {
    if ((target === undefined) === !options.all) {
      throw new Fault('usage', 'keepsake register: missing session id, path or --all.', {
        hint: 'See `keepsake register --help`.',
      });
    }
    const world = await cli.world();
    const what = target === undefined ? { all: true as const } : absolute(target, cli.host.environment.cwd);
    const report = await withProgress(cli, `keepsake register ${target ?? '--all'}`, (run) =>
      register(world, what, { ...withoutUndefined({ project: options.project }), ...run }),
    );
    printReport(report, cli.console);
    if (cli.console.json) return;
    if (report.found > 0 && report.same === report.found)
      cli.console.print('Already archived: registered, and refined again from the original.');
    for (const { sessionId } of report.sessions.slice(0, LISTED)) cli.console.print(`  ${sessionId}`);
    const more = report.sessions.length - LISTED;
    if (more > 0) cli.console.print(`  and ${plural(more, 'more session')}`);
  });
};

/** A path is recorded whole; an id stays as it is. */
function absolute(target: string, cwd: string): string {
  const path = resolve(cwd, target);
  return /[\\/]/.test(target) || existsSync(path) ? path : target;
}
