import { findProject } from '../../../app/find/project.ts';
import type { SessionRow } from '../../../app/find/sessions.ts';
import { type Unregistered, type UnregisterTarget, whatToUnregister } from '../../../app/purge/unregister.ts';
import { unregisterWhole } from '../../../app/remote/purge-sealed.ts';
import { sampleRows } from '../../../app/sync/use-sample.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { purgedLines } from '../print/remote-lines.ts';
import { titleOf } from '../print/session-table.ts';
import { plural } from '../terminal/quantities.ts';

const NAMED = 10;

type Options = { project?: string; purge?: boolean; force?: boolean; yes?: boolean; sample?: boolean };

export const defineUnregister: Define = (command, cli) => {
  command
    .argument('[id]', 'a session id or unique prefix')
    .option('--project <project>', 'its project; without an id: all sessions of this project')
    .option('--purge', 'delete the archived copy and everything made from it, for good')
    .option('--force', 'even if compositions use it')
    .option('--sample', 'remove the built-in sample project')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      "\nWithout --purge the archived copy stays, and sync skips the session. The agent's own file is never changed.",
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
    const done = await unregisterWhole(world, rows, {
      purge,
      force: options.force === true,
      ...withoutUndefined({ project: whole }),
    });
    if (console.json) return console.printJson(done);
    if (done.usedIn.length > 0) console.warn(`Used in ${done.usedIn.join(', ')}; their text stays.`);
    console.print(whatWasDone(done, options));
    for (const line of purgedLines(done.remotes ?? [])) console.warn(line);
  });
};

function whatWasDone(done: Unregistered, options: Options): string {
  const what = plural(done.sessions.length, 'session');
  if (options.sample) return `Removed the sample project, ${what}. To restore it: \`keepsake --sample\`.`;
  if (!done.purged) return `${what} unregistered; the archived copy stays.`;
  const nothing = 'Nothing was left to delete. The agent still has the files, and sync skips them.';
  if (done.sessions.length === 0) return done.projectRemoved ? 'The project was deleted.' : nothing;
  return `${what} deleted from the archive.${done.projectRemoved ? ' The project was deleted too.' : ''}`;
}

/** An action that cannot be undone needs a confirmation, or an explicit option. */
async function isAgreed(cli: Cli, world: World, rows: SessionRow[], options: Options): Promise<boolean> {
  if (options.yes || rows.length === 0) return true;
  const { config } = await world.settings.resolve();
  if (cli.console.interactive && !config.ui.confirmDestructiveActions) return true;
  if (!cli.console.interactive) {
    throw new Fault('usage', 'Nothing was deleted.', {
      hint: 'Add --yes to skip the question.',
    });
  }
  for (const row of rows.slice(0, NAMED)) cli.console.note(`  ${row.sessionId.slice(0, 8)}  ${titleOf(row)}`);
  if (rows.length > NAMED) cli.console.note(`  and ${rows.length - NAMED} more`);
  const what = rows.length === 1 ? 'this session' : `these ${rows.length} sessions`;
  return cli.console.confirm(`Delete ${what} from the archive for good?`, false);
}
