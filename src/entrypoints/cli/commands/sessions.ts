import { listSessions } from '../../../app/sessions.ts';
import { commonOptions, type Define, examples, given, wholeNumber } from '../cli.ts';
import { sessionColumns } from '../session-table.ts';
import { plural } from '../terminal/quantities.ts';

type Options = { project?: string; limit?: number; after?: string; all?: boolean };

const PAGE = 100;

export const defineSessions: Define = (command, cli) => {
  command
    .option('--project <project>', 'only this one: its id, path or name')
    .option('--limit <n>', `at most so many (default: ${PAGE})`, wholeNumber)
    .option('--after <cursor>', 'go on where a page ended')
    .option('--all', 'every session, unregistered ones too');
  commonOptions(command);
  examples(command, 'sessions', 'sessions --project shop --limit 10', 'sessions --all --json');
  command.action(async (options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const limit = options.limit ?? (options.all ? undefined : PAGE);
    const list = await listSessions(world, {
      ...given({ project: options.project, limit, after: options.after }),
      unregistered: options.all === true,
    });
    if (console.json) return console.printJson({ items: list.items, next: list.next });
    if (list.total === 0) return console.print('No sessions yet. `keepsake sync` finds them.');
    console.table(list.items, sessionColumns(list.items, list.ids, world.clock, console));
    if (list.next !== null) {
      console.note(`${plural(list.total, 'session')} in all; --all lists every one.`);
    }
  });
};
