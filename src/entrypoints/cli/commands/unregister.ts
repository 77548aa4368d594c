import { findProject } from '../../../app/find/project.ts';
import type { SessionRow } from '../../../app/find/sessions.ts';
import {
  type Unregistered,
  type UnregisterTarget,
  unregister,
  whatToUnregister,
} from '../../../app/purge/unregister.ts';
import { sampleRows } from '../../../app/sync/use-sample.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { titleOf } from '../print/session-table.ts';
import { plural } from '../terminal/quantities.ts';

const NAMED = 10;

type Options = { project?: string; purge?: boolean; force?: boolean; yes?: boolean; sample?: boolean };

export const defineUnregister: Define = (command, cli) => {
  command
    .argument('[id]', 'a session id, or as much of it as no other has')
    .option('--project <project>', 'where it is; without an id: all sessions of this project')
    .option('--purge', 'remove the archived copy and all that was made from it, for ever')
    .option('--force', 'even when compositions use it')
    .option('--sample', 'remove the built-in sample project')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      "\nWithout --purge the archived copy stays; sync leaves the session out. The agent's own file is never touched.",
    );
  commonOptions(command);
  examples(
    command,
    'unregister 4f2a91c0',
    'unregister 4f2a91c0 --purge --yes',
    'unregister --project shop --purge',
    'unregister --sample',
  );
  command.action(async (session: string | undefined, options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const rows = options.sample
      ? await sampleRows(world)
      : await whatToUnregister(
          world,
          withoutUndefined({ session, project: options.project }) as UnregisterTarget,
        );
    const purge = options.purge === true || options.sample === true;
    if (purge && !options.sample && !(await isAgreed(cli, world, rows, options))) {
      return console.print('Nothing was changed. Without --purge the archived copy stays.');
    }
    const whole =
      session === undefined && options.project !== undefined
        ? await findProject(world, options.project)
        : undefined;
    const done = await unregister(world, rows, {
      purge,
      force: options.force === true,
      ...withoutUndefined({ project: whole }),
    });
    if (console.json) return console.printJson(done);
    if (done.usedIn.length > 0) console.warn(`Used in ${done.usedIn.join(', ')}; their text stays.`);
    console.print(whatWasDone(done, options));
  });
};

function whatWasDone(done: Unregistered, options: Options): string {
  const what = plural(done.sessions.length, 'session');
  if (options.sample) return `The sample project is removed, ${what}. \`keepsake --sample\` brings it back.`;
  if (!done.purged) return `${what} unregistered; the archived copy stays.`;
  const nothing = 'Nothing was left to remove; the agent still has the files, and sync leaves them out.';
  if (done.sessions.length === 0) return done.projectRemoved ? 'The project is removed.' : nothing;
  return `${what} removed from the archive.${done.projectRemoved ? ' The project is gone, too.' : ''}`;
}

/** What can't be undone is asked for, or said in so many words on the command line. */
async function isAgreed(cli: Cli, world: World, rows: SessionRow[], options: Options): Promise<boolean> {
  if (options.yes || rows.length === 0) return true;
  const { config } = await world.settings.resolve();
  if (cli.console.interactive && !config.ui.confirmDestructiveActions) return true;
  if (!cli.console.interactive) {
    throw new Fault('usage', 'Nothing was removed.', {
      hint: 'Add --yes to remove it without being asked.',
    });
  }
  for (const row of rows.slice(0, NAMED)) cli.console.note(`  ${row.sessionId.slice(0, 8)}  ${titleOf(row)}`);
  if (rows.length > NAMED) cli.console.note(`  and ${rows.length - NAMED} more`);
  const what = rows.length === 1 ? 'this session' : `these ${rows.length} sessions`;
  return cli.console.confirm(`Remove ${what} from the archive for ever?`, false);
}
