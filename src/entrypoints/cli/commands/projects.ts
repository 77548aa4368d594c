import { listProjects, type ProjectSummary } from '../../../app/projects.ts';
import { renameProject } from '../../../app/rename-project.ts';
import { commonOptions, type Define, examples } from '../cli.ts';
import { projectLabel } from '../session-table.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, shortCount } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

export const defineProjects: Define = (command, cli) => {
  commonOptions(command);
  examples(command, 'projects', 'projects rename shop "web shop"');
  command.action(async () => {
    const { console } = cli;
    const world = await cli.world();
    const items = await listProjects(world);
    if (console.json) return console.printJson({ items, next: null });
    if (items.length === 0) return console.print('No projects yet. `keepsake sync` finds them.');
    const columns: Column<ProjectSummary>[] = [
      { title: 'project', value: projectLabel, paint: console.style.strong, least: 12 },
      { title: 'sessions', value: (row) => count(row.sessionCount), align: 'right' },
      { title: 'last', value: (row) => world.clock.local(row.lastTimestamp ?? '') },
      { title: 'tokens', value: (row) => shortCount(row.tokens), align: 'right', spare: 2 },
      { title: 'size', value: (row) => bytes(row.bytes), align: 'right', spare: 1 },
      { title: 'keepits', value: (row) => String(row.keepits), align: 'right', spare: 3 },
      { title: 'path', value: (row) => cleanLine(row.originalPath), least: 16, spare: 4 },
      { title: 'id', value: (row) => row.projectId, least: 16, spare: 5 },
    ];
    console.table(items, columns);
  });

  const rename = command.command('rename').description('Give a project another name. Its id and path stay.');
  rename
    .argument('<project>', 'its id, path or name; after `--` when it begins with a dash')
    .argument('<name>', 'the new name');
  commonOptions(rename);
  examples(rename, 'projects rename shop "web shop"', 'projects rename -- -home-me-shop "web shop"');
  rename.action(async (project: string, name: string) => {
    const renamed = await renameProject(await cli.world(), project, name);
    if (cli.console.json) cli.console.printJson(renamed);
    else cli.console.print(`${renamed.projectId} is now called ${renamed.displayName}.`);
  });
};
