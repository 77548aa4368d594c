import { resolve } from 'node:path';
import { type ImportedBundle, importBundle } from '../../../app/bundle/import.ts';
import { bundlesOf } from '../../../app/bundle/reader.ts';
import { importChats } from '../../../app/sync/import-chats.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import type { Console } from '../console.ts';
import { printReport } from '../print/sync-report.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { withProgress } from './sync.ts';

type Options = { project?: string; dryRun?: boolean; journal?: boolean; mine?: boolean; by?: string };

export const defineImport: Define = (command, cli) => {
  command
    .argument(
      '<path>',
      'a file of `keepsake export`, whatever it is called, or a .jsonl file of chat lines, or a folder of those',
    )
    .option('--project <name>', 'chats: the project they belong to; a bundle of one project: where it goes')
    .option('--mine', 'a bundle: you made it, on another machine; its words count as your own')
    .option('--by <name>', "whose words they are: a bundle's maker, or the person who had these chats")
    .option('--dry-run', 'a bundle: show what would be imported, and change nothing')
    .option('--journal', "with --mine: put pages of its journal into the project's own _memory/, too")
    .addHelpText(
      'after',
      '\nA bundle holds words of others unless you say --mine: they are found by search and recall with the name of their' +
        '\nauthor, and make no rule, keepit or injection until you confirm them. Chats are your own unless you say --by.' +
        '\n\nA chat line: {"ts": "2026-01-05T10:00:00Z", "role": "user", "text": "...", "name"?: "...", "id"?: "..."}',
    );
  commonOptions(command);
  examples(
    command,
    'import shop.keepsake.gz',
    'import shop.keepsake.gz --dry-run',
    'import laptop.keepsake.gz --mine',
    'import ./chats --project support',
    'import ./chats --project support --by Kim',
  );
  command.action(async (path: string, options: Options) => {
    const whole = resolve(cli.host.environment.cwd, path);
    const world = await cli.world();
    if ((await world.transcripts.inspect(whole)) === undefined)
      throw new Fault('not-found', `There is no file or folder ${whole}.`, { hint: 'Check the path.' });
    // Its content decides, not its name.
    if (await bundlesOf(world).isPacked(whole)) return importFile(cli, whole, options);
    if (options.mine)
      throw new Fault('usage', 'Chats are your own unless you say --by.', { hint: 'Leave out --mine.' });
    const { project, by } = options;
    const again = `keepsake import ${path}${project === undefined ? '' : ` --project ${JSON.stringify(project)}`}`;
    const report = await withProgress(cli, again, (run) =>
      importChats(world, whole, { project, by, ...run }),
    );
    printReport(report, cli.console);
  });
};

async function importFile(cli: Cli, path: string, options: Options): Promise<void> {
  const world = await cli.world();
  const done = await withProgress(cli, `keepsake import ${path}`, (run) =>
    importBundle(world, path, { ...run, ...withoutUndefined(options) }),
  );
  if (cli.console.json) cli.console.printJson(done);
  else printImported(done, cli.console);
}

function printImported({ projects, notes, dryRun, madeAt, by }: ImportedBundle, console: Console): void {
  const whose = by === null ? 'your own' : `by ${cleanText(by)}`;
  console.print(
    `${dryRun ? 'Would import' : 'Imported'} what was exported ${madeAt.slice(0, 16).replace('T', ' ')}, ${whose}:`,
  );
  console.table(
    projects.map((project) => ({ ...project, name: cleanText(project.name) })),
    [
      { title: 'project', value: ({ name, isNew }) => (isNew ? `${name} (new)` : name) },
      { title: 'new', value: ({ sessions }) => String(sessions.added), align: 'right' },
      { title: 'known', value: ({ sessions }) => String(sessions.known), align: 'right' },
      { title: 'versions', value: ({ versions }) => String(versions), align: 'right' },
      { title: 'compositions', value: ({ compositions }) => String(compositions), align: 'right' },
      { title: 'keepit edits', value: ({ overlays }) => String(overlays), align: 'right' },
      { title: 'fact edits', value: ({ facts }) => String(facts), align: 'right' },
      { title: 'concept edits', value: ({ concepts }) => String(concepts), align: 'right' },
      { title: 'purged', value: ({ tombstones }) => String(tombstones), align: 'right' },
    ],
  );
  if (by !== null && !dryRun)
    console.note(
      'Words of others are found by search and recall; `keepsake import FILE --mine` or `keepsake sessions claim` makes them yours.',
    );
  if (by !== null && projects.some(({ concepts }) => concepts > 0))
    console.note('`keepsake concepts review` lists their edits of concepts.');
  for (const note of notes) console.note(cleanText(note));
}
