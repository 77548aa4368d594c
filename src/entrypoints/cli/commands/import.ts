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
      'a file of `keepsake export`, whatever it is called, or a .jsonl file of chat lines, or a folder of those; with --from its folder, if it is not in its usual place',
    )
    .option('--from <tool>', `what another tool remembers: ${ASKED_AGENTS.join(', ')}`)
    .option('--project <name>', 'chats: the project they belong to; a bundle of one project: where it goes')
    .option('--mine', 'a bundle: you made it, on another machine; its words count as your own')
    .option('--by <name>', "whose words they are: a bundle's maker, or the person who had these chats")
    .option('--dry-run', 'a bundle, or --from: show what would be imported, and change nothing')
    .option('--journal', "with --mine: put pages of its journal into the project's own _memory/, too")
    .addHelpText(
      'after',
      '\nA bundle holds words of others unless you say --mine: they are found by search and recall with the name of their' +
        '\nauthor, and make no rule, keepit or injection until you confirm them. Chats are your own unless you say --by.' +
        '\n\nWith --from, prompts are your own words, and what a model wrote is found under the name of the tool; its files are' +
        '\nonly read. Sessions whose transcript the archive has are left out: the transcript says more.' +
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
      throw new Fault('usage', 'Name the file or folder to import, or a tool: --from NAME', {
        hint: 'keepsake import --help',
      });
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

async function importTool(
  cli: Cli,
  path: string | undefined,
  { from, project, dryRun, mine, by, journal }: Options & { from: string },
): Promise<void> {
  const agent = ASKED_AGENTS.find((it) => it === from);
  if (agent === undefined)
    throw new Fault('usage', `Keepsake can't import from "${cleanText(from).slice(0, 60)}".`, {
      hint: `One of: ${ASKED_AGENTS.join(', ')}. Sessions of agents come in with \`keepsake sync\`.`,
    });
  if (mine || by !== undefined || journal)
    throw new Fault('usage', '--mine, --by and --journal are not for --from.', { hint: 'Leave them out.' });
  const world = await cli.world();
  const folder = path === undefined ? undefined : resolve(cli.host.environment.cwd, path);
  const report = await withProgress(cli, `keepsake import --from ${agent}`, (run) =>
    importFrom(world, agent, { ...run, path: folder, project, dryRun }),
  );
  if (report.known > 0)
    report.notes.push(
      `${plural(report.known, 'session')} left out: the archive has the transcript${report.known === 1 ? '' : 's'}.`,
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
