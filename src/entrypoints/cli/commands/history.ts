import { type HistoryRow, readHistory } from '../../../app/history.ts';
import { commonOptions, type Define, examples, given, wholeNumber } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Column } from '../terminal/table.ts';

type Options = { project?: string; limit?: number; after?: string };

const PAGE = 50;

export const defineHistory: Define = (command, cli) => {
  command
    .option('--project <project>', 'only this one: its id, path or name')
    .option('--limit <n>', `at most so many (default: ${PAGE})`, wholeNumber)
    .option('--after <cursor>', 'go on where a page ended');
  commonOptions(command);
  examples(command, 'history', 'history --project shop --limit 5');
  command.action(async (options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const limit = options.limit ?? PAGE;
    const list = await readHistory(world, {
      ...given({ project: options.project, after: options.after }),
      limit,
    });
    if (console.json) return console.printJson(list);
    if (list.items.length === 0) return console.print('Nothing has happened yet.');
    const columns: Column<HistoryRow>[] = [
      { title: 'time', value: (row) => world.clock.local(row.at) },
      { title: 'project', value: (row) => cleanLine(row.projectName), least: 10, spare: 1 },
      { title: 'what', value: (row) => row.action, paint: console.style.accent },
      { title: 'session', value: (row) => (row.sessionId ?? '').slice(0, 8) },
      { title: 'note', value: (row) => cleanLine(row.note ?? ''), least: 20 },
    ];
    console.table(list.items, columns);
    if (list.next !== null) console.note(`There is more; --limit N shows it.`);
  });
};
