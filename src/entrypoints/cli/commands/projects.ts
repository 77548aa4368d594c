import type { Command } from 'commander';
import { joinProjects, offeredJoins, splitProject } from '../../../app/find/join-projects.ts';
import { byArgument, findProject } from '../../../app/find/project.ts';
import {
  type ProjectFolder,
  type ProjectSummary,
  pageProjects,
  summaryOf,
} from '../../../app/find/projects.ts';
import { renameProject } from '../../../app/find/rename-project.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { type Cli, commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { projectLabel } from '../print/session-table.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, plural, shortCount } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

const NAMING = 'its name, or the id or path of one of its folders; after `--` when it begins with a dash';
const MOST_OFFERED = 5;

export const defineProjects: Define = (command, cli) => {
  pageOptions(command, 'all');
  commonOptions(command);
  examples(
    command,
    'projects',
    'projects --limit 5',
    'projects folders shop',
    'projects join shop old-shop',
    'projects rename shop "web shop"',
  );
  command.action(async (options: { limit?: number; after?: string }) => {
    const { console } = cli;
    const world = await cli.world();
    const list = await pageProjects(world, withoutUndefined({ limit: options.limit, after: options.after }));
    if (console.json)
      return console.printJson({ items: list.items, next: list.next, offers: await offeredJoins(world) });
    if (list.total === 0) return console.print('No projects yet. Run `keepsake sync`.');
    const columns: Column<ProjectSummary>[] = [
      { title: 'project', value: projectLabel, paint: console.style.strong, least: 16 },
      { title: 'sessions', value: (row) => count(row.sessionCount), align: 'right' },
      { title: 'folders', value: (row) => count(row.folders.length), align: 'right', spare: 5 },
      { title: 'last', value: (row) => world.clock.local(row.lastTimestamp ?? '') },
      { title: 'tokens', value: (row) => shortCount(row.tokens), align: 'right' },
      { title: 'size', value: (row) => bytes(row.bytes), align: 'right', spare: 2 },
      { title: 'keepits', value: (row) => String(row.keepits), align: 'right', spare: 3 },
      { title: 'path', value: (row) => cleanLine(row.originalPath), least: 24, cut: 'front' },
      { title: 'repository', value: (row) => cleanLine(row.identity ?? ''), least: 20, spare: 6 },
      { title: 'id', value: (row) => row.projectId, least: 16, cut: 'front', spare: 4 },
    ];
    console.table(list.items, columns);
    console.noteZone();
    console.noteMore(list, 'projects', options, list.total);
    await noteOffers(cli, world);
  });
  defineFolders(command, cli);
  defineJoin(command, cli);
  defineSplit(command, cli);
  defineRename(command, cli);
};

/** Pairs of projects that only their names speak for. */
async function noteOffers({ console }: Cli, world: World): Promise<void> {
  const offers = await offeredJoins(world);
  if (offers.length === 0) return;
  console.note('These have the same name. If they are the same project, join them:');
  for (const { into, from } of offers.slice(0, MOST_OFFERED))
    console.note(`  keepsake projects join -- ${into.projectId} ${from.projectId}`);
  if (offers.length > MOST_OFFERED)
    console.note(`  and ${offers.length - MOST_OFFERED} more; --json lists them all`);
}

function defineFolders(command: Command, cli: Cli): void {
  const folders = command
    .command('folders')
    .description('List the folders of a project (checkouts, worktrees, clones), and why each belongs to it.');
  folders.argument('<project>', NAMING);
  commonOptions(folders);
  examples(folders, 'projects folders shop', 'projects folders ~/work/shop');
  folders.action(async (project: string) => {
    const { console } = cli;
    const world = await cli.world('sessions');
    const summary = await summaryOf(world, project, byArgument);
    if (console.json)
      return console.printJson({ items: summary.folders, identity: summary.identity ?? null });
    const columns: Column<ProjectFolder>[] = [
      {
        title: 'folder',
        value: (row) => cleanLine(row.originalPath),
        paint: console.style.strong,
        least: 24,
      },
      { title: 'sessions', value: (row) => count(row.sessionCount), align: 'right' },
      { title: 'last', value: (row) => world.clock.local(row.lastTimestamp ?? '') },
      { title: 'why', value: (row) => cleanLine(row.reason), least: 20 },
      { title: 'id', value: (row) => row.projectId, least: 16, cut: 'front', spare: 1 },
    ];
    console.table(summary.folders, columns);
    console.noteZone();
    if (summary.identity !== undefined) console.note(`Repository: ${cleanLine(summary.identity)}`);
  });
}

function defineJoin(command: Command, cli: Cli): void {
  const join = command
    .command('join')
    .description('Make one project part of another. No files move; `split` undoes it.');
  join.argument('<project>', NAMING).argument('<other>', 'the project that becomes part of it');
  commonOptions(join);
  examples(join, 'projects join shop old-shop', 'projects join ~/work/shop ~/work/shop-fork');
  join.action(async (into: string, from: string) => {
    const world = await cli.world('nothing');
    const part = await findProject(world, from, byArgument);
    const joined = await joinProjects(world, into, from);
    if (cli.console.json) return cli.console.printJson(joined);
    cli.console.print(
      `${projectLabel(joined)} now has ${plural(joined.folders.length, 'folder')} and ${plural(joined.sessionCount, 'session')}. Undo it with: keepsake projects split -- ${part}`,
    );
  });
}

function defineSplit(command: Command, cli: Cli): void {
  const split = command.command('split').description('Undo a join, or make a folder a separate project.');
  split.argument(
    '<folder>',
    'its id or path, or the name of the joined project; after `--` if it starts with a dash',
  );
  commonOptions(split);
  examples(split, 'projects split old-shop', 'projects split ~/work/shop-2');
  split.action(async (folder: string) => {
    const { split, from } = await splitProject(await cli.world('nothing'), folder);
    if (cli.console.json) return cli.console.printJson({ split, from });
    cli.console.print(
      `${projectLabel(split)} (${cleanLine(split.originalPath)}) is now a separate project with ${plural(split.sessionCount, 'session')}. Undo it with: keepsake projects join -- ${from.projectId} ${split.projectId}`,
    );
  });
}

function defineRename(command: Command, cli: Cli): void {
  const rename = command.command('rename').description('Rename a project. Its id and path stay.');
  rename
    .argument('<project>', 'id, path or name; after `--` if it starts with a dash')
    .argument('<name>', 'the new name');
  commonOptions(rename);
  examples(rename, 'projects rename shop "web shop"', 'projects rename -- -home-me-shop "web shop"');
  rename.action(async (project: string, name: string) => {
    const renamed = await renameProject(await cli.world('nothing'), project, name);
    if (cli.console.json) cli.console.printJson(renamed);
    else cli.console.print(`${renamed.projectId} is now named ${renamed.displayName}.`);
  });
}
