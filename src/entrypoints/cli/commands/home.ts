import { listProjects, type ProjectSummary } from '../../../app/find/projects.ts';
import { shortIds } from '../../../app/find/session.ts';
import { listSessions, type SessionList, type SessionRow } from '../../../app/find/sessions.ts';
import { orFault } from '../../../app/or-fault.ts';
import { hasSample, nothingToRemember, sampleWasRemoved, useSample } from '../../../app/sync/use-sample.ts';
import type { World } from '../../../app/world.ts';
import { FAULTS, Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define } from '../cli.ts';
import { projectLabel, sessionColumns } from '../print/session-table.ts';
import { printReport } from '../print/sync-report.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { isTerminal } from '../terminal/output.ts';
import { bytes, plural, shortCount } from '../terminal/quantities.ts';
import { tableLines } from '../terminal/table.ts';
import { fitText, textWidth } from '../terminal/text-width.ts';
import { wrapText } from '../terminal/wrap-text.ts';
import { syncWithProgress } from './sync.ts';

const PROJECTS = 5;
const SESSIONS = 10;
/** For programs, which page on from there. */
const LISTED = 200;

/** The bare command: keep what is new, then show what there is; to a person at a terminal in the page, too. */
export const defineHome: Define = (command, cli) => {
  command
    .option('--sample', 'also show the sample project')
    .option('--list', 'only print the list, do not open the page')
    .option('--no-open', 'print the address of the page, do not open a browser');
  commonOptions(command);
  command.action(async (options: { sample?: boolean; list?: boolean; open?: boolean }) => {
    const { console } = cli;
    const world = await cli.world();
    if (options.sample) await loadSample(world);
    if (await nothingToRemember(world)) {
      if (!(await offerSample(cli, world))) return;
    } else if (!options.sample) {
      const report = await syncWithProgress(cli);
      if (!console.json)
        printReport(
          report,
          console,
          report.problems.length > 0 ? '' : 'No transcripts found on this machine. Sessions in the archive:',
        );
      // One stray file among many is reported, but it is no failure of what was asked for.
      process.exitCode =
        report.skipped === report.found && report.problems.length > 0 ? FAULTS.unreadable.exit : 0;
    }
    if (console.json) {
      const { items, next } = await listSessions(world, { limit: LISTED });
      return console.printJson({ items, next });
    }
    const show = async () => {
      const sessions = await listSessions(world);
      print(cli, world, await listProjects(world), sessions);
      await showReplay(cli, world, sessions.items);
    };
    // A pipe, a file or a program gets the list alone, and an end.
    if (options.list || !console.interactive || !isTerminal(1)) return show();
    const { serveUntilStopped } = await import('../options/serve.ts');
    // The address comes first: the list below it may be longer than the screen.
    await serveUntilStopped(cli, {}, options.open !== false, show);
  });
};

/** Sessions that the first replay reads: a new user waits for it. */
const REPLAYED = 300;
const SHOWN = 3;

/** A replay of the sessions from before memory: shown once, if there are any besides the sample. */
async function showReplay(cli: Cli, world: World, newestFirst: SessionRow[]): Promise<void> {
  const { console } = cli;
  const own = newestFirst.filter((row) => !row.sample);
  const { keepReplay, noteFirstReplay, sawFirstReplay } = await import('../../../app/replay/last-replay.ts');
  if (own.length === 0 || (await sawFirstReplay(world))) return;
  const { replayWithProgress } = await import('./replay.ts');
  const { badCasesLine, caseLines } = await import('../print/replay-report.ts');
  const since = own.at(REPLAYED)?.firstTimestamp;
  const request = since === undefined ? {} : { since };
  const made = await orFault(replayWithProgress(cli, world, request));
  if (made instanceof Fault) {
    if (made.code === 'cancelled') throw made;
    // What was asked for is on the screen already: an archive that can't be written is listed anyway.
    return;
  }
  const { best, figures } = made;
  // Without a case it is still the first: there may be more sessions next time.
  if (best.length === 0) return;
  await noteFirstReplay(world);
  await keepReplay(world, request, made);
  console.print('', console.style.strong('What memory would have done for you'));
  best.slice(0, SHOWN).forEach((it, at) => {
    console.print(...caseLines(it, at + 1, world.clock, console));
  });
  console.print(
    '',
    badCasesLine(figures),
    'Turn memory on: `keepsake install`. Full report, including what it would have got wrong: `keepsake replay`.',
  );
}

async function loadSample(world: World): Promise<void> {
  if (!(await hasSample(world))) {
    throw new Fault('not-found', `The sample project is missing: ${world.places.sample}`, {
      hint: 'Reinstall Keepsake to restore it.',
    });
  }
  await useSample(world);
}

/** Without a single session anywhere a newcomer still sees it work. */
async function offerSample(cli: Cli, world: World): Promise<boolean> {
  const { console } = cli;
  const where = world.places.claudeProjects.join(', ');
  const removed = await sampleWasRemoved(world);
  if (removed || !(await hasSample(world))) {
    if (console.json) console.printJson({ items: [], next: null });
    else {
      console.print(
        `No sessions yet: no transcripts in ${where}.`,
        'Use Claude Code once, then run `keepsake` again.',
      );
      if (removed) console.print('To show the sample project: `keepsake --sample`.');
    }
    return false;
  }
  console.note(`No transcripts in ${where}.`);
  if (!(await console.confirm('Show the sample project instead?', true))) {
    console.print('Nothing was changed. If your transcripts are elsewhere: `keepsake sync --from DIR`.');
    return false;
  }
  await useSample(world);
  return true;
}

function isIn({ folders }: ProjectSummary, folder: string): boolean {
  return folders.some(({ projectId }) => projectId === folder);
}

function print(cli: Cli, world: World, projects: ProjectSummary[], list: SessionList): void {
  const { console } = cli;
  const used = projects.filter((project) => project.sessionCount > 0);
  const shown = used.slice(0, PROJECTS).map((project) => ({
    project,
    rows: list.items.filter((row) => isIn(project, row.projectId)).slice(0, SESSIONS),
  }));
  const rows = shown.flatMap((it) => it.rows);
  const columns = sessionColumns(rows, list.ids, world.clock, console).filter(
    (column) => column.title !== 'project',
  );
  // Laid out as one, so that every project has the same columns.
  const { width, style } = console;
  const { heading, body } = tableLines(rows, columns, { width, heading: style.dim, indent: '  ' });
  let next = 0;
  for (const { project, rows: own } of shown) {
    printHeading(cli, project);
    console.print(heading, ...body.slice(next, next + own.length).flat());
    next += own.length;
    const more = project.sessionCount - own.length;
    if (more > 0) {
      const command = `keepsake sessions --project=${argumentFor(project, projects)}`;
      for (const line of besideOrBelow(`  and ${count(more)}:`, command, width))
        console.print(style.dim(line));
    }
  }
  const more = used.length - shown.length;
  if (more > 0) console.print('', style.dim(`And ${plural(more, 'more project')}: keepsake projects`));
  if (rows.length > 0) console.noteZone();
  whatNext(cli, rows, list.ids);
}

/** Its name, where no other project has it and a shell takes it as it is. */
function argumentFor({ displayName, projectId }: ProjectSummary, projects: ProjectSummary[]): string {
  const isOnly = projects.filter((it) => it.displayName === displayName).length === 1;
  return isOnly && /^[\w.][\w./-]*$/.test(displayName) ? displayName : projectId;
}

/** A command is not broken: where it has no room beside its words it is below them. */
function besideOrBelow(words: string, command: string, width: number | undefined): string[] {
  const beside = `${words} ${command}`;
  if (width === undefined || textWidth(beside) <= width) return [beside];
  return wrapText(`${words}\n    ${command}`, width);
}

function count(more: number): string {
  return plural(more, 'more session');
}

function printHeading(cli: Cli, project: ProjectSummary): void {
  const { console } = cli;
  const { style, width } = console;
  const label = projectLabel(project);
  const totals = `${plural(project.sessionCount, 'session')}, ${shortCount(project.tokens)} tokens, ${bytes(project.bytes)}`;
  const path = cleanLine(project.originalPath);
  const room = width === undefined ? textWidth(path) : width - textWidth(`${label}    ${totals}`);
  console.print('');
  if (project.sample)
    console.note('This is the SAMPLE project, not your work. To remove it: `keepsake unregister --sample`.');
  const place = room < 12 ? totals : `${fitText(path, room, 'front')}  ${totals}`;
  console.print(`${style.strong(label)}  ${style.dim(place)}`);
}

function whatNext(cli: Cli, rows: SessionRow[], ids: string[]): void {
  const { console } = cli;
  const newest = rows.find((row) => !row.sample) ?? rows[0];
  if (!newest) return;
  const id = shortIds(ids).get(newest.sessionId) ?? newest.sessionId;
  const hints: [command: string, what: string][] = [
    [`keepsake show ${id} --messages`, 'read the newest session'],
    [`keepsake exchanges ${id}`, 'list its requests'],
    ['keepsake search WORDS', 'search all sessions'],
    ['keepsake ui', 'browse it in your browser'],
    ['keepsake status', 'show what is archived and what is not yet'],
    ['keepsake --help', 'all commands'],
  ];
  if (rows.some((row) => row.sample))
    hints.push(['keepsake unregister --sample', 'remove the sample project']);
  const width = Math.max(...hints.map(([hint]) => hint.length));
  console.print('', console.style.strong('What next'));
  for (const [hint, what] of hints) console.print(`  ${console.style.accent(hint.padEnd(width))}  ${what}`);
}
