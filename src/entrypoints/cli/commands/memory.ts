import type { Command } from 'commander';
import { engineFor } from '../../../app/model/use.ts';
import { putAway } from '../../../app/rolling/archive.ts';
import { resetCounter, rotateMemory } from '../../../app/rolling/check.ts';
import { checkProjectMemory } from '../../../app/rolling/check-project.ts';
import type { ClaudeMdSync } from '../../../app/rolling/claude-md.ts';
import { migrateLegacy } from '../../../app/rolling/legacy.ts';
import { summarizeByModel } from '../../../app/rolling/model-archives.ts';
import { inEachFolder } from '../../../app/rolling/project-memory.ts';
import { dedupeRefined, refineAll, refinedInAll } from '../../../app/rolling/refine.ts';
import { writeSummaries } from '../../../app/rolling/summaries.ts';
import { finishSession } from '../../../app/sync/finish-session.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { ProjectId } from '../../../core/model/ids.ts';
import { type Cli, commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import { defineMemoryFiles, printMemoryList } from '../print/memory-files.ts';
import { defineMemorySearch } from '../print/memory-search.ts';
import { memoryAt, memoryWord, type ProjectOption } from '../print/memory-words.ts';
import { bytes, plural } from '../terminal/quantities.ts';

export const defineMemory: Define = (command, cli) => {
  const { console } = cli;
  command
    .enablePositionalOptions()
    .option('--project <project>', "a project: id, path or name (default: this folder's)");
  commonOptions(command);
  examples(
    command,
    'memory --project shop',
    'memory check --now',
    'memory search token cache',
    'memory get project',
  );
  command.action((options: ProjectOption) => printMemoryList(cli, options));

  const check = memoryWord(command, 'check', 'Count one step; update memory.md when the interval is reached.')
    .option('--now', 'ignore the counter')
    .option('--session <id>', 'only new text of this session');
  examples(check, 'memory check', 'memory check --now --project shop');
  check.action(async (options: ProjectOption & { now?: true; session?: string }) => {
    const { world, project } = await memoryAt(cli, options, 'sessions');
    const done = await checkProjectMemory(
      world,
      project,
      withoutUndefined({ now: options.now, session: options.session }),
    );
    if (console.json) return console.printJson(done);
    printClaudeMd(cli, done.claudeMd);
    if (done.added === undefined)
      return console.print(
        `${done.counter} of ${done.interval} steps; memory.md is updated at ${done.interval}.`,
      );
    console.print(updateText(done.added, done.rotated ?? []));
  });

  const final = memoryWord(
    command,
    'final',
    'Finish a session: refine it and add all of it to memory.md.',
  ).argument('[session]', 'a session id or unique prefix');
  examples(final, 'memory final', 'memory final 4f2a91c0');
  final.action(async (session: string | undefined, options: ProjectOption) => {
    const { world, project } = await memoryAt(cli, options, 'sessions');
    const done = await finishSession(world, project, session);
    if (console.json) return console.printJson(done);
    printClaudeMd(cli, done.claudeMd);
    console.print(updateText(done.added, done.rotated));
  });

  const reset = memoryWord(command, 'reset', 'Reset the counter to 0.');
  examples(reset, 'memory reset');
  reset.action(async (options: ProjectOption) => {
    const { world, project } = await memoryAt(cli, options);
    await inEachFolder(world, project, (folder) => resetCounter(world, folder));
    if (console.json) return console.printJson({ counter: 0 });
    console.print('The counter is 0.');
  });

  const rotate = memoryWord(
    command,
    'rotate',
    'Archive memory.md when it is longer than 23,750 tokens.',
  ).option('--force', 'at any length');
  examples(rotate, 'memory rotate', 'memory rotate --force');
  rotate.action(async (options: ProjectOption & { force?: true }) => {
    const { world, project } = await memoryAt(cli, options);
    const rotate = (folder: ProjectId) => rotateMemory(world, folder, options.force === true);
    const rotated = (await inEachFolder(world, project, rotate)).flat();
    if (console.json) return console.printJson({ rotated });
    console.print(
      rotated.length > 0
        ? `Archived as ${rotated.join(', ')}.`
        : 'memory.md is below the limit; nothing was archived.',
    );
  });

  const summaries = memoryWord(command, 'generate-l3', 'Write missing summaries of archives.')
    .argument('[archive]', 'only this archive, even if it has a summary')
    .option('--again', 'also archives that have a summary')
    .option('--model <model>', 'let this model write it; extractive: offline');
  examples(summaries, 'memory generate-l3', 'memory generate-l3 memory_20260113_120000.md');
  type SummaryOptions = ProjectOption & { again?: true; model?: string };
  summaries.action(async (file: string | undefined, options: SummaryOptions) => {
    const { world, project } = await memoryAt(cli, options);
    const engine = await engineFor(world, 'archives', project, options.model);
    const request = withoutUndefined({ file, again: options.again });
    const byModel = (folder: ProjectId) =>
      engine &&
      ((name: string, text: string) =>
        summarizeByModel(world, engine, { project: folder, file: name, text }, cli.signal()));
    const write = (folder: ProjectId) => writeSummaries(world, folder, request, byModel(folder));
    const written = (await inEachFolder(world, project, write, file)).flat();
    if (console.json) return console.printJson({ written });
    console.print(written.length > 0 ? `Written: ${written.join(', ')}.` : 'Every archive has a summary.');
  });

  defineMemoryFiles(command, cli);
  defineMemorySearch(command, cli);
  defineMaintenance(command, cli);
};

function defineMaintenance(command: Command, cli: Cli): void {
  const { console } = cli;
  const archive = memoryWord(command, 'archive', 'Move archives older than 30 days into memory/archive/.')
    .option('--days <n>', 'minimum age in days', parseWholeNumber)
    .option('--undo', 'move them all back');
  examples(archive, 'memory archive', 'memory archive --days 90', 'memory archive --undo');
  archive.action(async (options: ProjectOption & { days?: number; undo?: true }) => {
    const { world, project } = await memoryAt(cli, options);
    const wanted = withoutUndefined({ days: options.days, undo: options.undo });
    const moved = (await inEachFolder(world, project, (folder) => putAway(world, folder, wanted))).flat();
    if (console.json) return console.printJson({ moved });
    const what = plural(moved.length, 'archive');
    console.print(
      options.undo ? `${what} moved back.` : `${what} moved to archive/; search still finds them.`,
    );
  });

  const refine = memoryWord(command, 'refine-all', 'Rebuild every refined transcript from its original.');
  examples(refine, 'memory refine-all', 'memory refine-all --project shop');
  refine.action(async (options: ProjectOption) => {
    const { world, project } = await memoryAt(cli, options);
    const bar = console.progress('Refining', world.clock.millis);
    const each = await inEachFolder(world, project, (folder) =>
      refineAll(world, folder, { onProgress: (state) => bar.show(state), signal: cli.signal() }),
    ).finally(() => bar.end());
    const done = refinedInAll(each);
    for (const id of done.missing)
      console.warn(`The original of ${id} is missing; its refined text was kept.`);
    if (console.json) return console.printJson(done);
    console.print(
      `${plural(done.sessions, 'session')}: ${plural(done.lines, 'line')}, ${bytes(done.bytes)}.`,
    );
  });

  const dedupe = memoryWord(command, 'dedupe-l1', 'Delete duplicate refined files of a session.');
  examples(dedupe, 'memory dedupe-l1');
  dedupe.action(async (options: ProjectOption) => {
    const { world, project } = await memoryAt(cli, options);
    const each = await inEachFolder(world, project, (folder) => dedupeRefined(world, folder));
    const done = { removed: each.flatMap((it) => it.removed), aside: each.flatMap((it) => it.aside) };
    if (console.json) return console.printJson(done);
    const aside =
      done.aside.length > 0 ? ` Moved aside because the content differs: ${done.aside.join(', ')}.` : '';
    console.print(`${plural(done.removed.length, 'duplicate')} removed.${aside}`);
  });

  const migrate = memoryWord(
    command,
    'migrate-legacy',
    'Import memory of an older plugin; without any, clean up existing files.',
  )
    .argument('[folder]', "its folder (default: the project's .claude/memory)")
    .addHelpText(
      'after',
      '\nFiles over 25,000 tokens are split, headings with a local time get UTC. The folder is not changed; overwritten\nfiles are kept in the archive.',
    );
  examples(migrate, 'memory migrate-legacy', 'memory migrate-legacy ~/shop/.claude/memory --project shop');
  migrate.action(async (folder: string | undefined, options: ProjectOption) => {
    const { resolve } = await import('node:path');
    const { world, project } = await memoryAt(cli, options);
    const from = folder === undefined ? undefined : resolve(cli.host.environment.cwd, folder);
    const done = await migrateLegacy(world, project, from);
    if (console.json) return console.printJson(done);
    for (const note of done.notes) console.note(note);
    if (done.written.length === 0) return console.print('Nothing to clean up; nothing was changed.');
    const headings = done.headings > 0 ? ` ${plural(done.headings, 'heading')} converted to UTC.` : '';
    console.print(
      `From ${done.from}: ${done.written.join(', ')}.${headings} Previous files are in ${done.aside}.`,
    );
    if (done.sessions > 0) {
      const name = JSON.stringify((await world.archive.head(project))?.displayName ?? project);
      console.note(
        `${plural(done.sessions, 'refined session')} found; to import them: keepsake import ${done.from}/sessions --project ${name}`,
      );
    }
  });
}

function updateText(added: number, rotated: string[]): string {
  const archived = rotated.length > 0 ? ` Also archived: ${rotated.join(', ')}.` : '';
  if (added === 0) return `memory.md is up to date.${archived}`;
  return `Added ${plural(added, 'entry', 'entries')} to memory.md.${archived}`;
}

function printClaudeMd(cli: Cli, synced: ClaudeMdSync | undefined): void {
  if (synced?.status === 'refused') cli.console.warn(synced.reason ?? '');
  if (synced?.status === 'written') cli.console.note(`The block in ${synced.file} is up to date.`);
  if (synced?.status === 'removed') cli.console.note(`Removed the block from ${synced.file}.`);
}
