import { listSessions } from '../../../app/find/sessions.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { sessionColumns } from '../print/session-table.ts';

type Options = { project?: string; limit?: number; after?: string; all?: boolean; unregistered?: boolean };

const PAGE = 100;

export const defineSessions: Define = (command, cli) => {
  command.option('--project <project>', 'only this one: its id, path or name');
  pageOptions(command, PAGE);
  command.option('--all', 'every session at once').option('--unregistered', 'those that were taken out, too');
  commonOptions(command);
  examples(command, 'sessions', 'sessions --project shop --limit 10', 'sessions --all --unregistered --json');
  command.action(async (options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const limit = options.limit ?? (options.all ? undefined : PAGE);
    const list = await listSessions(world, {
      ...withoutUndefined({ project: options.project, limit, after: options.after }),
      unregistered: options.unregistered === true,
    });
    if (console.json) return console.printJson({ items: list.items, next: list.next });
    const hidden = list.ids.length - list.total;
    if (list.total === 0)
      return console.print(
        hidden === 0
          ? 'No sessions yet. `keepsake sync` finds them.'
          : 'Every session here is unregistered; --unregistered lists them.',
      );
    console.table(list.items, sessionColumns(list.items, list.ids, world.clock, console));
    console.noteZone();
    console.noteMore(list, `sessions${options.unregistered ? ' --unregistered' : ''}`, options, list.total);
  });
};
