import { resolve } from 'node:path';
import { type ImportedBundle, importBundle } from '../../../app/bundle/import.ts';
import { importChats } from '../../../app/sync/import-chats.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import type { Console } from '../console.ts';
import { printReport } from '../print/sync-report.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { withProgress } from './sync.ts';

type Options = { project?: string; dryRun?: boolean; journal?: boolean };

export const defineImport: Define = (command, cli) => {
  command
    .argument(
      '<path>',
      'a file of `keepsake export` (.keepsake.gz), or a .jsonl file of chat lines, or a folder of those',
    )
    .option('--project <name>', 'chats: the project they belong to; a bundle of one project: where it goes')
    .option('--dry-run', 'a bundle: say what would be taken in, and change nothing')
    .option('--journal', "a bundle: put pages of its journal into the project's own _memory/, too")
    .addHelpText(
      'after',
      '\nA chat line: {"ts": "2026-01-05T10:00:00Z", "role": "user", "text": "...", "name"?: "...", "id"?: "..."}',
    );
  commonOptions(command);
  examples(
    command,
    'import shop.keepsake.gz',
    'import shop.keepsake.gz --dry-run',
    'import ./chats --project support',
  );
  command.action(async (path: string, options: Options) => {
    const whole = resolve(cli.host.environment.cwd, path);
    if (/\.gz$/i.test(path)) return importFile(cli, whole, options);
    if (options.project === undefined)
      throw new Fault('usage', 'Say which project the chats belong to: --project NAME', {
        hint: 'A file of `keepsake export` ends with .keepsake.gz and needs none.',
      });
    const { project } = options;
    const world = await cli.world();
    const again = `keepsake import ${path} --project ${JSON.stringify(project)}`;
    const report = await withProgress(cli, again, (run) => importChats(world, whole, { project, ...run }));
    printReport(report, cli.console);
  });
};

async function importFile(cli: Cli, path: string, { project, dryRun, journal }: Options): Promise<void> {
  const world = await cli.world();
  const done = await withProgress(cli, `keepsake import ${path}`, (run) =>
    importBundle(world, path, { ...run, ...withoutUndefined({ project, dryRun, journal }) }),
  );
  if (cli.console.json) cli.console.printJson(done);
  else printImported(done, cli.console);
}

function printImported({ projects, notes, dryRun, madeAt }: ImportedBundle, console: Console): void {
  console.print(
    `${dryRun ? 'Would take in' : 'Took in'} what was exported ${madeAt.slice(0, 16).replace('T', ' ')}:`,
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
      { title: 'purged', value: ({ tombstones }) => String(tombstones), align: 'right' },
    ],
  );
  for (const note of notes) console.note(cleanText(note));
}
