import { dayOf, type LedgerCall, ledgerCalls, type Spent, spentToday } from '../../../app/model/ledger.ts';
import { type LedgerRow, rowsBy, WAYS } from '../../../app/model/ledger-rows.ts';
import { page } from '../../../app/page.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { capText, readCap } from '../../../core/model/daily-cap.ts';
import { Fault } from '../../../core/model/fault.ts';
import { commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { usd } from '../print/usd.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { count } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

type Options = { by?: string; calls?: boolean; limit?: number; after?: string };

const PAGE = 50;

export const defineLedger: Define = (command, cli) => {
  command
    .option('--by <what>', `sums by ${WAYS.join(', ')} (default: day)`)
    .option('--calls', 'list every call, newest first');
  pageOptions(command, PAGE);
  commonOptions(command);
  command.addHelpText(
    'after',
    '\nEvery model call is recorded before it is made and when it ends: time, purpose, tokens, cost; no conversation text.\nA call that never ended counts with its maximum.',
  );
  examples(command, 'ledger', 'ledger --by model', 'ledger --calls --limit 20');
  command.action(async (options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const by = WAYS.find((way) => way === (options.by ?? 'day'));
    if (!by)
      throw new Fault('usage', `Unknown value for --by: ${options.by}.`, {
        hint: `Choose from ${WAYS.join(', ')}.`,
      });
    const all = await ledgerCalls(world);
    const { config } = await world.settings.resolve();
    const cap = capText(readCap(config.model.dailyCap) ?? 'none');
    const today = await spentToday(world);
    const request = { limit: options.limit ?? PAGE, ...withoutUndefined({ after: options.after }) };
    if (options.calls) {
      const list = page(all, ({ at, call }) => `${at}\u0000${call}`, request);
      if (console.json) return console.printJson({ ...list, today, cap });
      if (all.length === 0) return console.print('No model calls yet.');
      console.table(
        list.items,
        callColumns((at) => world.clock.local(at)),
      );
      console.noteZone();
      return console.noteMore(list, 'ledger --calls', options, all.length);
    }
    const rows = rowsBy(all, by, (at) => dayOf(world, at));
    const list = page(rows, ({ last, key }) => `${last}\u0000${key}`, request);
    const items = list.items.map(({ last: _, ...row }) => row);
    if (console.json) return console.printJson({ items, next: list.next, today, cap });
    if (all.length === 0) return console.print(`No model calls yet. The daily cap is ${cap}.`);
    console.table(list.items, [
      { title: by, value: (row: LedgerRow) => cleanLine(row.key), least: 12 },
      ...sumColumns(),
    ]);
    console.print(
      '',
      `Today: ${usd(today.usd)}, ${count(today.input + today.output)} tokens. The daily cap is ${cap}.`,
    );
    console.noteMore(list, 'ledger', options, rows.length);
  });
};

function sumColumns(): Column<Spent>[] {
  return [
    { title: 'calls', value: (row) => count(row.calls), align: 'right' },
    { title: 'tokens in', value: (row) => count(row.input), align: 'right', spare: 2 },
    { title: 'tokens out', value: (row) => count(row.output), align: 'right', spare: 1 },
    { title: 'cost', value: (row) => usd(row.usd), align: 'right' },
  ];
}

function callColumns(local: (at: string) => string): Column<LedgerCall>[] {
  return [
    { title: 'time', value: (row) => local(row.at) },
    { title: 'use', value: (row) => cleanLine(row.use) },
    { title: 'model', value: (row) => cleanLine(`${row.service}/${row.model}`), least: 12, spare: 2 },
    { title: 'session', value: (row) => (row.session ?? '').slice(0, 8), spare: 3 },
    { title: 'in', value: (row) => count(row.input), align: 'right' },
    { title: 'out', value: (row) => count(row.output), align: 'right' },
    { title: 'cost', value: (row) => usd(row.usd), align: 'right' },
    {
      title: 'outcome',
      value: (row) => (row.ended ? cleanLine(row.outcome ?? '') : 'did not end'),
      spare: 1,
    },
  ];
}
