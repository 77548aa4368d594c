import type { Command } from 'commander';
import { type ProjectSummary, pageProjects } from '../../../app/find/projects.ts';
import { renameProject } from '../../../app/find/rename-project.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { type Cli, commonOptions, type Define, examples, pageOptions } from '../cli.ts';
import { projectLabel } from '../print/session-table.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, shortCount } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

export const defineProjects: Define = (command, cli) => {
  pageOptions(command, 'all');
  commonOptions(command);
  examples(command, 'projects', 'projects --limit 5', 'projects rename shop "web shop"');
  command.action(async (options: { limit?: number; after?: string }) => {
    const { console } = cli;
    const world = await cli.world();
    const list = await pageProjects(world, withoutUndefined({ limit: options.limit, after: options.after }));
    if (console.json) return console.printJson({ items: list.items, next: list.next });
    if (list.total === 0) return console.print('No projects yet. `keepsake sync` finds them.');
    const columns: Column<ProjectSummary>[] = [
      { title: 'project', value: projectLabel, paint: console.style.strong, least: 12 },
      { title: 'sessions', value: (row) => count(row.sessionCount), align: 'right' },
      { title: 'last', value: (row) => world.clock.local(row.lastTimestamp ?? '') },
      { title: 'tokens', value: (row) => shortCount(row.tokens), align: 'right', spare: 2 },
      { title: 'size', value: (row) => bytes(row.bytes), align: 'right', spare: 1 },
      { title: 'keepits', value: (row) => String(row.keepits), align: 'right', spare: 3 },
      { title: 'path', value: (row) => cleanLine(row.originalPath), least: 24, cut: 'front' },
      { title: 'id', value: (row) => row.projectId, least: 16, cut: 'front', spare: 4 },
    ];
    console.table(list.items, columns);
    console.noteZone();
    console.noteMore(list, 'projects', options, list.total);
  });
  defineRename(command, cli);
};

function defineRename(command: Command, cli: Cli): void {
  const rename = command.command('rename').description('Give a project another name. Its id and path stay.');
  rename
    .argument('<project>', 'its id, path or name; after `--` when it begins with a dash')
    .argument('<name>', 'the new name');
  commonOptions(rename);
  examples(rename, 'projects rename shop "web shop"', 'projects rename -- -home-me-shop "web shop"');
  rename.action(async (project: string, name: string) => {
    const renamed = await renameProject(await cli.world('nothing'), project, name);
    if (cli.console.json) cli.console.printJson(renamed);
    else cli.console.print(`${renamed.projectId} is now called ${renamed.displayName}.`);
  });
}
