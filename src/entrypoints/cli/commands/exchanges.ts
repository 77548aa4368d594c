import { findSession } from '../../../app/find/session.ts';
import { type FullExchange, fullExchanges } from '../../../app/layers/read.ts';
import { pageInOrder } from '../../../app/page.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Column } from '../terminal/table.ts';

type Options = { project?: string; limit?: number; after?: string };

export const defineExchanges: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id or unique prefix')
    .option('--project <project>', 'its project: id, path or name');
  pageOptions(command, 'all');
  commonOptions(command);
  examples(command, 'exchanges 4f2a91c0', 'exchanges 4f2a91c0 --limit 20', 'show ex_0c1d2e3f4a5b');
  command.action(async (id: string, options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const { row } = await findSession(world, id, options.project);
    const all = await fullExchanges(world, row);
    const request = withoutUndefined({ limit: options.limit, after: options.after });
    const { items, next } = pageInOrder(all, (it) => String(it.l1_range[0]).padStart(12, '0'), request);
    if (console.json) return console.printJson({ items, next });
    if (all.length === 0) return console.print('This session has no requests.');
    const columns: Column<FullExchange>[] = [
      { title: 'id', value: (it) => it.id, paint: console.style.accent },
      { title: 'time', value: (it) => world.clock.local(it.ts), spare: 1 },
      { title: 'lines', value: (it) => it.l1_range.join('-'), align: 'right', spare: 5 },
      { title: 'tools', value: (it) => String(it.tools), align: 'right', spare: 3 },
      {
        title: 'errors',
        value: (it) => (it.errors === 0 ? '' : String(it.errors)),
        align: 'right',
        spare: 4,
      },
      {
        title: 'files',
        value: (it) => (it.files.length === 0 ? '' : String(it.files.length)),
        align: 'right',
        spare: 2,
      },
      { title: 'outcome', value: (it) => it.outcome, spare: 7 },
      { title: 'ask', value: ask, least: 30 },
      { title: 'summary', value: (it) => cleanLine(it.summary), least: 30, spare: 8 },
      {
        title: 'keywords',
        value: (it) => cleanLine(it.keywords.slice(0, 8).join(', ')),
        least: 20,
        spare: 9,
      },
      {
        title: 'changed',
        value: (it) => it.files.map((file) => cleanLine(lastPart(file))).join(', '),
        least: 16,
        spare: 6,
      },
    ];
    console.table(
      items,
      columns.filter((column) => column.title !== 'changed' || items.some((it) => it.files.length > 0)),
    );
    if (row.by !== undefined) console.note(`Asked by ${cleanLine(row.by)}; the session was imported.`);
    console.noteZone();
    console.noteMore({ items, next }, `exchanges ${id}`, options, all.length);
  });
};

function ask(exchange: FullExchange): string {
  const words = cleanLine(exchange.ask) || '(before the first request)';
  return exchange.abandoned ? `(abandoned) ${words}` : words;
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
