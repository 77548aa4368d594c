import { listProjects, type ProjectSummary } from '../../../app/projects.ts';
import { listSessions, type SessionRow } from '../../../app/sessions.ts';
import { hasSample, nothingToRemember, useSample } from '../../../app/use-sample.ts';
import type { World } from '../../../app/world.ts';
import { type Cli, commonOptions, type Define } from '../cli.ts';
import { printReport } from '../print-report.ts';
import { projectLabel, sessionColumns } from '../session-table.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, plural, shortCount } from '../terminal/quantities.ts';
import { syncWithProgress } from './sync.ts';

const LISTED = 200;

/** The bare command: keep what is new, then show what there is. */
export const defineHome: Define = (command, cli) => {
  commonOptions(command);
  command.action(async () => {
    const { console } = cli;
    const world = await cli.world();
    if (await nothingToRemember(world)) {
      if (!(await offerSample(cli, world))) return;
    } else {
      const report = await syncWithProgress(cli);
      if (!console.json)
        printReport(report, console, 'No transcripts of the agent here; the archive holds these:');
      // One stray file among many is told, but it is no failure of what was asked for.
      process.exitCode = 0;
    }
    const list = await listSessions(world, { limit: LISTED });
    if (console.json) return console.printJson({ items: list.items, next: list.next });
    const projects = await listProjects(world);
    for (const project of projects) printProject(cli, world, project, list.items, list.ids);
    if (list.next !== null)
      console.print(
        '',
        `The newest ${LISTED} of ${list.total}; \`keepsake sessions --all\` lists every one.`,
      );
    whatNext(cli, list.items[0], projects);
  });
};

/** Without a single session anywhere a newcomer still sees it work. */
async function offerSample(cli: Cli, world: World): Promise<boolean> {
  const { console } = cli;
  const where = world.places.claudeProjects.join(', ');
  if (!(await hasSample(world))) {
    if (console.json) console.printJson({ items: [], next: null });
    else
      console.print(
        `No sessions yet: there are no transcripts in ${where}.`,
        'Use Claude Code once, then run `keepsake` again.',
      );
    return false;
  }
  console.note(`No transcripts in ${where}.`);
  if (!(await console.confirm('Look at the built-in sample project instead?', true))) {
    console.print('Nothing was changed. Transcripts kept elsewhere: `keepsake sync --from DIR`.');
    return false;
  }
  console.note(
    'This is the built-in SAMPLE project, not your work. `keepsake unregister --sample` removes it.',
  );
  await useSample(world);
  return true;
}

function printProject(
  cli: Cli,
  world: World,
  project: ProjectSummary,
  all: SessionRow[],
  ids: string[],
): void {
  const { console } = cli;
  const { style } = console;
  const rows = all.filter((row) => row.projectId === project.projectId);
  if (rows.length === 0) return;
  const totals = `${plural(project.sessionCount, 'session')}, ${shortCount(project.tokens)} tokens, ${bytes(project.bytes)}`;
  console.print(
    '',
    `${style.strong(projectLabel(project))}  ${style.dim(`${cleanLine(project.originalPath)}  ${totals}`)}`,
  );
  const columns = sessionColumns(rows, ids, world.clock, console).filter(
    (column) => column.title !== 'project',
  );
  console.table(rows, columns, '  ');
}

function whatNext(cli: Cli, newest: SessionRow | undefined, projects: ProjectSummary[]): void {
  const { console } = cli;
  if (!newest) return;
  const id = newest.sessionId.slice(0, 8);
  const hints: [command: string, what: string][] = [
    [`keepsake show ${id} --messages`, 'read the newest session'],
    [`keepsake exchanges ${id}`, 'what was asked in it'],
    ['keepsake status', 'what is kept, and what is not yet'],
    ['keepsake --help', 'everything else'],
  ];
  if (projects.some((project) => project.sample))
    hints.push(['keepsake unregister --sample', 'remove the sample project']);
  const width = Math.max(...hints.map(([hint]) => hint.length));
  console.print('', console.style.strong('What next'));
  for (const [hint, what] of hints) console.print(`  ${console.style.accent(hint.padEnd(width))}  ${what}`);
}
