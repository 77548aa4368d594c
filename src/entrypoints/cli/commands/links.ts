import type { Command } from 'commander';
import { addLink, type LinkRow, listLinks, removeLink } from '../../../app/find/links.ts';
import { pageInOrder } from '../../../app/page.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { type Cli, commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import type { Column } from '../terminal/table.ts';

type ListOptions = { project?: string; limit?: number; after?: string };

export const defineLinks: Define = (command, cli) => {
  command.option('--project <project>', 'only links to this project: id, path or name');
  pageOptions(command, 'all');
  commonOptions(command);
  examples(
    command,
    'links',
    'links add 4f2a91c0 --to shop --reason "same price library"',
    'links remove 4f2a91c0',
  );
  command.action((options: ListOptions) => list(cli, options));
  const listed = command
    .command('list')
    .description('List links (default).')
    .option('--project <project>', 'only links to this project');
  pageOptions(listed, 'all');
  commonOptions(listed);
  examples(listed, 'links list --project shop');
  listed.action((options: ListOptions) => list(cli, options));
  defineAdd(command, cli);
  defineRemove(command, cli);
};

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const { console } = cli;
  const world = await cli.world();
  const all = await listLinks(world, options.project);
  const request = withoutUndefined({ limit: options.limit, after: options.after });
  const { items, next } = pageInOrder(all, (row) => `${row.linkedAt}\u0000${row.linkId}`, request);
  if (console.json) return console.printJson({ items, next });
  if (all.length === 0)
    return console.print('No links yet. Add one: `keepsake links add SESSION --to PROJECT`.');
  const columns: Column<LinkRow>[] = [
    { title: 'id', value: (row) => row.linkId, paint: console.style.accent },
    { title: 'session', value: (row) => `${row.sourceSession.slice(0, 8)}${row.gone ? ' (gone)' : ''}` },
    { title: 'of', value: (row) => cleanLine(row.sourceName), spare: 2 },
    { title: 'to', value: (row) => cleanLine(row.targetName) },
    { title: 'since', value: (row) => world.clock.local(row.linkedAt), spare: 3 },
    { title: 'reason', value: (row) => cleanLine(row.reason), least: 16 },
    { title: 'title', value: (row) => cleanLine(row.title), least: 16, spare: 1 },
  ];
  console.table(items, columns);
  console.noteMore({ items, next }, 'links', options, all.length);
}

function defineAdd(command: Command, cli: Cli): void {
  const add = command
    .command('add')
    .description('Offer a session to another project, for `suggest` and `compose --linked` there.')
    .argument('<session>', 'a session id or unique prefix')
    .requiredOption('--to <project>', 'the target project: id, path or name')
    .option('--reason <words>', 'why it helps there', '')
    .option('--project <project>', 'the project of the session, if its id is in two projects');
  commonOptions(add);
  examples(add, 'links add 4f2a91c0 --to shop --reason "same price library"');
  add.action(async (session: string, options: { to: string; reason: string; project?: string }) => {
    const link = await addLink(await cli.world(), { session, ...options });
    if (cli.console.json) return cli.console.printJson(link);
    cli.console.print(
      `${link.linkId}: ${link.sourceSession.slice(0, 8)} is now offered to ${link.targetProject}.`,
    );
  });
}

function defineRemove(command: Command, cli: Cli): void {
  const remove = command
    .command('remove')
    .description('Delete a link; the session stays.')
    .argument('<link>', 'its id, or the session')
    .option('--to <project>', 'the target project');
  commonOptions(remove);
  examples(remove, 'links remove ln_0c1d2e3f4a5b', 'links remove 4f2a91c0 --to shop');
  remove.action(async (text: string, options: { to?: string }) => {
    const link = await removeLink(await cli.world(), text, options.to);
    if (cli.console.json) return cli.console.printJson(link);
    cli.console.print(`Deleted ${link.linkId}; the session stays.`);
  });
}
