import { readExchanges } from '../../../app/exchanges.ts';
import { findSession } from '../../../app/find-session.ts';
import type { Exchange } from '../../../core/layers/exchanges.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Column } from '../terminal/table.ts';

export const defineExchanges: Define = (command, cli) => {
  command
    .argument('<id>', 'a session id, or as much of it as no other has')
    .option('--project <project>', 'where it is: id, path or name');
  commonOptions(command);
  examples(command, 'exchanges 4f2a91c0', 'exchanges 4f2a91c0 --json');
  command.action(async (id: string, options: { project?: string }) => {
    const { console } = cli;
    const world = await cli.world();
    const { row } = await findSession(world, id, options.project);
    const items = await readExchanges(world, row);
    if (console.json) return console.printJson({ items, next: null });
    if (items.length === 0) return console.print('Nothing was asked in this session.');
    const columns: Column<Exchange>[] = [
      { title: 'id', value: (it) => it.id, paint: console.style.accent, spare: 5 },
      { title: 'time', value: (it) => world.clock.local(it.ts) },
      { title: 'lines', value: (it) => it.l1_range.join('-'), align: 'right', spare: 4 },
      { title: 'tools', value: (it) => String(it.tools), align: 'right', spare: 2 },
      {
        title: 'errors',
        value: (it) => (it.errors === 0 ? '' : String(it.errors)),
        align: 'right',
        spare: 3,
      },
      {
        title: 'files',
        value: (it) => (it.files.length === 0 ? '' : String(it.files.length)),
        align: 'right',
        spare: 1,
      },
      { title: 'ask', value: ask, least: 20 },
    ];
    console.table(items, columns);
  });
};

function ask(exchange: Exchange): string {
  const words = cleanLine(exchange.ask) || '(before the first ask)';
  return exchange.abandoned ? `(abandoned) ${words}` : words;
}
