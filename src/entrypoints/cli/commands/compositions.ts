import type { Command } from 'commander';
import {
  type CompositionRow,
  deleteComposition,
  findComposition,
  listCompositions,
  showComposition,
} from '../../../app/compose/compositions.ts';
import { reuseComposition } from '../../../app/compose/reuse.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples, pageOptions, parseWholeNumber } from '../cli.ts';
import { componentTable, printComposition, showComposing } from '../print/compose-report.ts';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import { count, plural } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

type ListOptions = { project?: string; limit?: number; after?: string };
type ShowOptions = { project?: string; markdown?: boolean; jsonl?: boolean };
type ReuseOptions = {
  project?: string;
  budget?: number;
  as?: string;
  resume?: boolean;
  preview?: boolean;
  force?: boolean;
};

export const defineCompositions: Define = (command, cli) => {
  command.option('--project <project>', 'only this project: id, path or name');
  pageOptions(command, 'all');
  commonOptions(command);
  examples(
    command,
    'compositions',
    'compositions show basket --markdown',
    'compositions reuse basket --budget 8000',
  );
  command.action(async (options: ListOptions) => {
    const { console } = cli;
    const world = await cli.world();
    const list = await listCompositions(world, withoutUndefined({ ...options }));
    if (console.json) return console.printJson({ items: list.items, next: list.next });
    if (list.total === 0) return console.print('No compositions yet. Create one: `keepsake compose NAME`.');
    const columns: Column<CompositionRow>[] = [
      { title: 'name', value: (row) => cleanLine(row.name), paint: console.style.accent, least: 12 },
      { title: 'project', value: (row) => cleanLine(row.projectName), spare: 2 },
      { title: 'made', value: (row) => world.clock.local(row.createdAt) },
      { title: 'sessions', value: (row) => count(row.components.length), align: 'right' },
      { title: 'tokens', value: (row) => count(row.totalTokens), align: 'right' },
      { title: 'used in', value: (row) => count(row.usedInSessions.length), align: 'right', spare: 1 },
      { title: 'last used', value: (row) => world.clock.local(row.lastUsed ?? ''), spare: 3 },
      { title: 'content', value: (row) => row.contentId, spare: 4 },
    ];
    console.table(list.items, columns);
    console.noteZone();
    console.noteMore(list, 'compositions', options, list.total);
  });
  defineShow(command, cli);
  defineReuse(command, cli);
  defineDelete(command, cli);
};

function sub(command: Command, name: string, about: string): Command {
  return command
    .command(name)
    .description(about)
    .argument('<name>', 'a composition, by its name or id')
    .option('--project <project>', 'its project: id, path or name');
}

function defineShow(command: Command, cli: Cli): void {
  const show = sub(command, 'show', 'Show the contents of a composition, and which sources are gone.')
    .option('--markdown', 'print its text')
    .option('--jsonl', 'print its lines with their sources');
  commonOptions(show);
  examples(show, 'compositions show basket', 'compositions show basket --markdown');
  show.action(async (name: string, options: ShowOptions) => {
    const { console } = cli;
    const world = await cli.world();
    const found = await showComposition(world, await findComposition(world, name, options.project));
    const { record, markdown, jsonl, gone } = found;
    if (options.jsonl || (options.markdown && !console.json)) {
      const text = options.jsonl ? jsonl : markdown;
      if (text === undefined)
        throw new Fault('not-found', 'This composition has no such file.', {
          hint: 'It was made with another --format.',
        });
      return void process.stdout.write(console.width === undefined ? text : cleanText(text));
    }
    if (console.json) return console.printJson({ ...record, gone, markdown: markdown ?? null });
    console.print(
      `${console.style.accent(cleanLine(record.name))}  ${cleanLine(record.projectName)}  ${world.clock.local(record.createdAt)}`,
      `  ${count(record.totalTokens)} of ${count(record.request?.totalTokenBudget ?? record.totalTokens)} tokens, ` +
        `${plural(record.totalMessages, 'message')}, used in ${plural(record.usedInSessions.length, 'session')}`,
    );
    console.print(`  content ${record.contentId}, the same in every archive`);
    if (record.by !== undefined) console.print(`  by ${cleanLine(record.by)}`);
    const { topic, asOf } = record.request ?? {};
    if (topic) console.print(`  topic: ${cleanLine(topic)}`);
    if (asOf) console.print(`  as of ${asOf}`);
    componentTable(console, record.components);
    for (const session of record.usedInSessions) console.print(`  used in ${cleanLine(session)}`);
    for (const { sessionId } of record.resumed ?? []) console.print(`  claude --resume ${sessionId}`);
    for (const sentence of gone) console.warn(sentence);
  });
}

function defineReuse(command: Command, cli: Cli): void {
  const reuse = sub(command, 'reuse', 'Rebuild a composition from the current state of its sessions.')
    .option('--budget <tokens>', 'another budget', parseWholeNumber)
    .option('--as <name>', 'save under another name; the old one stays')
    .option('--resume', 'also write a new session for `claude --resume` in this directory')
    .option('--preview', 'show the result, store nothing')
    .option('--force', 'overwrite a composition of the same name');
  commonOptions(reuse);
  examples(
    reuse,
    'compositions reuse basket --budget 8000',
    'compositions reuse basket --budget 32000 --as basket-long',
  );
  reuse.action(async (name: string, options: ReuseOptions) => {
    const world = await cli.world();
    const { project, preview, resume, ...rest } = options;
    const row = await findComposition(world, name, project);
    const how = withoutUndefined({ ...rest, preview, resume: preview ? undefined : resume });
    const done = await showComposing(cli, (watched) => reuseComposition(world, row, { ...how, ...watched }));
    for (const note of done.notes) cli.console.note(note);
    if (cli.console.json) return cli.console.printJson(done);
    printComposition(cli.console, done, preview === true);
  });
}

function defineDelete(command: Command, cli: Cli): void {
  const remove = sub(command, 'delete', 'Delete a composition; its sessions and versions stay.').option(
    '--yes',
    'do not ask',
  );
  commonOptions(remove);
  examples(remove, 'compositions delete basket --yes');
  remove.action(async (name: string, options: { project?: string; yes?: boolean }) => {
    const { console } = cli;
    const world = await cli.world();
    const row = await findComposition(world, name, options.project);
    const { config } = await world.settings.resolve();
    const asks = !options.yes && (config.ui.confirmDestructiveActions || !console.interactive);
    if (asks && !console.interactive)
      throw new Fault('usage', 'Nothing was deleted.', {
        hint: 'Add --yes to skip the question.',
      });
    if (asks && !(await console.confirm(`Delete ${cleanLine(row.name)}?`, false)))
      return console.print('Nothing was changed.');
    await deleteComposition(world, row);
    if (console.json) return console.printJson({ name: row.name, projectId: row.projectId });
    console.print(`Deleted ${cleanLine(row.name)}. Its sessions and versions stay.`);
  });
}
