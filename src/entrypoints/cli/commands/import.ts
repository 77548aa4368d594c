import { resolve } from 'node:path';
import { type ImportedBundle, importBundle } from '../../../app/bundle/import.ts';
import { bundlesOf } from '../../../app/bundle/reader.ts';
import { importChats } from '../../../app/import/import-chats.ts';
import { importFrom } from '../../../app/import/import-from.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { ASKED_AGENTS, agentName } from '../../../core/model/agent.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import type { Console } from '../console.ts';
import { printReport } from '../print/sync-report.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';
import { withProgress } from './sync.ts';

type Options = {
  from?: string;
  project?: string;
  dryRun?: boolean;
  journal?: boolean;
  mine?: boolean;
  by?: string;
};

export const defineImport: Define = (command, cli) => {
  command
    .argument(
      '[path]',
      'a bundle, a .jsonl file of chat lines, or a folder of those; with --from, the folder of the tool if it is not the usual one',
    )
    .option('--from <tool>', `import from another tool: ${ASKED_AGENTS.join(', ')}`)
    .option('--project <name>', 'target project, for chats or a bundle of one project')
    .option('--mine', 'you made this bundle on another machine; its words count as yours')
    .option('--by <name>', 'author of the bundle or the chats')
    .option('--dry-run', 'show what would be imported, change nothing (bundles and --from)')
    .option('--journal', "with --mine: also write its journal pages into the project's _memory/")
    .addHelpText(
      'after',
      "\nA bundle counts as someone else's words unless you use --mine: search and recall show them with their author's" +
        '\nname, and they create no rule, keepit or injection until you confirm them. Chats count as yours unless you use --by.' +
        "\n\nWith --from, prompts count as your words, and text that a model wrote has the name of the tool. The tool's files are" +
        '\nnot changed. Sessions whose transcript is in the archive are skipped, because the transcript contains more.' +
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
    'import --from claude-mem --dry-run',
    'import --from memory-files',
  );
  command.action(async (path: string | undefined, options: Options) => {
    if (options.from !== undefined) return importTool(cli, path, { ...options, from: options.from });
    if (path === undefined)
      throw new Fault('usage', 'Missing file or folder to import, or --from TOOL.', {
        hint: 'keepsake import --help',
      });
    const whole = resolve(cli.host.environment.cwd, path);
    const world = await cli.world();
    if ((await world.transcripts.inspect(whole)) === undefined)
      throw new Fault('not-found', `No such file or folder: ${whole}.`, { hint: 'Check the path.' });
    // Its content decides, not its name.
    if (await bundlesOf(world).isPacked(whole)) return importFile(cli, whole, options);
    if (options.mine)
      throw new Fault('usage', '--mine is only for bundles: chats count as yours unless you use --by.', {
        hint: 'Omit --mine.',
      });
    const { project, by } = options;
    const again = `keepsake import ${path}${project === undefined ? '' : ` --project ${JSON.stringify(project)}`}`;
    const report = await withProgress(cli, again, (run) =>
      importChats(world, whole, { project, by, ...run }),
    );
    printReport(report, cli.console);
  });
};

async function importTool(
  cli: Cli,
  path: string | undefined,
  { from, project, dryRun, mine, by, journal }: Options & { from: string },
): Promise<void> {
  const agent = ASKED_AGENTS.find((it) => it === from);
  if (agent === undefined)
    throw new Fault('usage', `Keepsake can't import from "${cleanText(from).slice(0, 60)}".`, {
      hint: `One of: ${ASKED_AGENTS.join(', ')}. For sessions of agents, use \`keepsake sync\`.`,
    });
  if (mine || by !== undefined || journal)
    throw new Fault('usage', '--mine, --by and --journal cannot be used with --from.', {
      hint: 'Omit them.',
    });
  const world = await cli.world();
  const folder = path === undefined ? undefined : resolve(cli.host.environment.cwd, path);
  const report = await withProgress(cli, `keepsake import --from ${agent}`, (run) =>
    importFrom(world, agent, { ...run, path: folder, project, dryRun }),
  );
  if (report.known > 0)
    report.notes.push(
      `${plural(report.known, 'session')} skipped: the archive has the transcript${report.known === 1 ? '' : 's'}.`,
    );
  if (!dryRun) return printReport(report, cli.console);
  if (cli.console.json) return cli.console.printJson(report);
  for (const note of report.notes) cli.console.note(note);
  cli.console.print(`Would import ${plural(report.found, 'session')} of ${agentName(agent)}:`);
  cli.console.table(report.projects, [
    { title: 'project', value: ({ name }) => cleanText(name) },
    { title: 'sessions', value: ({ sessions }) => String(sessions), align: 'right' },
  ]);
}

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
    `${dryRun ? 'Would import' : 'Imported'} the bundle of ${madeAt.slice(0, 16).replace('T', ' ')}, ${whose}:`,
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
      'Search and recall show these as words of others. If they are yours: `keepsake import FILE --mine` or `keepsake sessions claim`.',
    );
  if (by !== null && projects.some(({ concepts }) => concepts > 0))
    console.note('To see their concept edits: `keepsake concepts review`.');
  for (const note of notes) console.note(cleanText(note));
}
