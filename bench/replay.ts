// Replays every session in chronological order, with only earlier ones known, and reports what memory would have shown, by project.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { importChats } from '../src/app/import/import-chats.ts';
import { promptText } from '../src/app/inject/prompt.ts';
import { AsOfWorld } from '../src/app/replay/as-of-world.ts';
import { replay } from '../src/app/replay/replay.ts';
import { type ReplayedHistory, replayedProjects } from '../src/app/replay/replayed-projects.ts';
import type { HookSession } from '../src/app/sync/running-session.ts';
import { sync } from '../src/app/sync/sync.ts';
import { SaidWords } from '../src/core/inject/already-said.ts';
import { offPointSum, type ReplayFigures } from '../src/core/replay/figures.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, mebibytes, table } from './bench-table.ts';
import { affirms, isNotTrue, readGold } from './statements-gold.ts';

/** Number of prompts, at even intervals, that are asked in another project. */
const FOREIGN = 300;

export async function run(args: string[]): Promise<void> {
  const folders = args.filter((arg) => !arg.startsWith('--'));
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const archive = option('archive');
  if (folders.length === 0 && archive === undefined)
    throw new Error(
      'Missing folders of sessions. Usage: npm run bench -- replay DIR ... [--archive=DIR] [--gold=DIR] [--cases=FILE] [--copies=N]',
    );
  const world = makeWorld(archive);
  try {
    if (!archive || !existsSync(join(archive, 'archive', 'projects')))
      await ingest(world, folders, Number(option('copies') ?? 1));
    const from = performance.now();
    const before = process.cpuUsage();
    const report = await replay(world);
    const seconds = (performance.now() - from) / 1000;
    const { user, system } = process.cpuUsage(before);
    const peak = process.resourceUsage().maxRSS * 1024;
    printFigures([
      ...report.projects.map(({ name, figures }): [string, ReplayFigures] => [name, figures]),
      ['all', report.figures],
    ]);
    console.log(
      `\n${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of CPU) for ${report.figures.sessions} sessions, peak ${mebibytes(peak)} MiB`,
    );
    const history = await replayedProjects(world, {}, {});
    printInstructions(world, history);
    await printForeign(world, history);
    const gold = option('gold');
    if (gold !== undefined) printNotTrue(history, gold);
    const cases = option('cases');
    if (cases !== undefined) writeFileSync(cases, JSON.stringify(report.cases, null, 1));
  } finally {
    await world.index.close();
    await world.archive.close();
    if (!archive) await world.remove();
  }
}

async function ingest(world: TestWorld, folders: string[], copies: number): Promise<void> {
  for (const folder of folders) {
    if (basename(folder) === 'chat_jsonl')
      await importChats(world, folder, { project: basename(dirname(folder)) });
    else
      for (let copy = 0; copy < copies; copy++) {
        const from = copy === 0 ? folder : shiftedCopy(world, folder, copy);
        await sync(world, { from: [from] });
        if (copy > 0) rmSync(from, { recursive: true });
      }
  }
}

const QUARTER_MS = 91 * 86_400_000;

/** Repeats the sessions with new ids, each copy three months later, to get a longer history of the same kind. */
function shiftedCopy(world: TestWorld, folder: string, copy: number): string {
  const to = join(world.places.home, `copy-${copy}`);
  const marked = (text: string) =>
    text.replace(/\b[0-9a-f]{7}([0-9a-f])(?=-[0-9a-f]{4}-[0-9a-f]{4}-)/g, (id) => `${id.slice(0, 7)}${copy}`);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.jsonl?$/.test(name)) continue;
    const path = join(to, marked(name));
    mkdirSync(dirname(path), { recursive: true });
    const later = (time: string) => new Date(Date.parse(time) + copy * QUARTER_MS).toISOString();
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(path, marked(text).replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/g, later));
  }
  return to;
}

function printFigures(rows: [string, ReplayFigures][]): void {
  const share = (part: number, all: number) => (all === 0 ? '' : `${((100 * part) / all).toFixed(0)}%`);
  const came = ({ found, said }: { found: number; said: number }) => `${said}/${found}`;
  table(
    [
      'project',
      'sessions',
      'prompts',
      'instr.',
      'errors',
      'asked',
      'searched',
      'again',
      'named',
      'last',
      'back',
      'off: pass.',
      'offers',
      'starts',
      'lines',
      'bad/100',
      'used',
      'tokens',
    ],
    rows
      .filter(([, it]) => it.sessions > 1)
      .map(([name, it]) => [
        name,
        String(it.sessions),
        String(it.prompts),
        came(it.instructions),
        `${came(it.errors)} (${it.noted})`,
        came(it.decisions),
        came(it.searched),
        String(it.files.changedAgain),
        share(it.files.named, it.files.changedAgain),
        share(it.files.ofLast, it.files.changedAgain),
        String(it.contradicted),
        `${it.offPoint.passages}/${it.passages}`,
        `${it.offPoint.offers}/${it.offers}`,
        `${it.offPoint.starts}/${it.starts}`,
        share(it.startLines.touched, it.startLines.shown),
        it.prompts === 0 ? '' : ((100 * (it.contradicted + offPointSum(it))) / it.prompts).toFixed(2),
        share(it.used, it.starts + it.passages),
        String(Math.round(it.tokens / it.sessions)),
      ]),
  );
  console.log(
    '\ninstr., errors, asked, searched: cases that memory would have prevented / all cases (in brackets: errors that notes before a command would show, if they were on); again: files changed again, named by the start text and four prompts, and by a list of the files of the session before; back: shown text that a later session refuted; off: irrelevant passages, offers and starts / all; lines: lines of starts that the session used; bad/100: refuted and irrelevant per 100 prompts; tokens: per session',
  );
}

/** Counts lines of start texts that repeat the agent's instructions, as far as the session's own file shows these. */
function printInstructions(world: TestWorld, { projects }: ReplayedHistory): void {
  let [starts, lines, withFile, repeated] = [0, 0, 0, 0];
  for (const { sessions } of projects)
    for (const { project, session, injections = [] } of sessions) {
      const start = injections.find(({ on }) => on === 'start');
      if (!start) continue;
      starts++;
      const instructions = instructionsRead(world, project, session);
      if (instructions === '') continue;
      withFile++;
      const quoted = start.text.split('\n').filter((line) => line.startsWith('> '));
      lines += quoted.length;
      const known = new SaidWords();
      known.add(instructions);
      repeated += quoted.filter((line) => known.leftOf(line.slice(2)) === '').length;
    }
  console.log(
    `\nstart texts: ${starts}; ${withFile} of these sessions show CLAUDE.md or AGENTS.md: ${repeated} of ${lines} quoted lines repeat it (a replay cannot compare with the file as it was then)`,
  );
}

/** The instruction files (CLAUDE.md, AGENTS.md) as far as the session's own lines show them. */
function instructionsRead(world: TestWorld, project: string, session: string): string {
  const path = join(world.archive.root, 'projects', project, 'originals', `${session}.jsonl`);
  if (!existsSync(path)) return '';
  const found: string[] = [];
  const asked = new Set<string>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (!/CLAUDE\.md|AGENTS\.md/.test(line) && ![...asked].some((id) => line.includes(id))) continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      continue;
    }
    walk(value, (it) => {
      const { type, id, input, tool_use_id: answers, content, text } = it;
      const file = (input as { file_path?: unknown } | undefined)?.file_path;
      if (type === 'tool_use' && typeof file === 'string' && /(?:CLAUDE|AGENTS)\.md$/.test(file))
        asked.add(String(id));
      if (type === 'tool_result' && asked.has(String(answers))) found.push(plain(content));
      if (typeof text === 'string' && text.startsWith('# AGENTS.md instructions')) found.push(text);
    });
  }
  return found.join('\n').replace(/^\s*\d+→/gm, '');
}

function walk(value: unknown, visit: (it: Record<string, unknown>) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Record<string, unknown>);
  for (const below of Object.values(value)) walk(below, visit);
}

function plain(content: unknown): string {
  return typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((it) => String(it.text ?? '')).join('\n')
      : '';
}

/** Prompts of one project, asked in another project at the same date. */
async function printForeign(
  world: TestWorld,
  { timeline, manifests, repositories, projects, targets }: ReplayedHistory,
): Promise<void> {
  const asOf = await AsOfWorld.open(world, { timeline, manifests, repositories });
  const large = projects.filter(({ sessions }) => sessions.length >= 3);
  const prompts = large.flatMap(({ sessions }, at) =>
    sessions.flatMap((session) => session.moments.prompts.map((prompt) => ({ at, session, prompt }))),
  );
  const step = Math.max(1, Math.floor(prompts.length / FOREIGN));
  let asked = 0;
  const [there, here] = [
    { answered: 0, offered: 0 },
    { answered: 0, offered: 0 },
  ];
  for (let n = 0; n < prompts.length; n += step) {
    const { at, session, prompt } = prompts[n]!;
    const target = targets.find(({ record }) => record.sessionId === session.session);
    // Checkouts of one project by several people share one name.
    const own = large[at]!.repository.name;
    const other = [...large.slice(at + 1), ...large].find(({ repository }) => repository.name !== own);
    if (!target || !other) continue;
    asked++;
    for (const [counts, { folders }] of [
      [there, other.repository],
      // Asking the same question in its own project shows that an answer exists.
      [here, large[at]!.repository],
    ] as const) {
      const ids = folders.map(({ projectId }) => projectId);
      // Here the whole project is known, which is the harder case.
      await asOf.moveTo({ at: prompt.ts, known: timeline.ended.length, own: -1 }, ids, '');
      const { config } = await world.settings.resolve();
      const state: HookSession = { version: 2, session: target.record.sessionId, told: [] };
      const text = await promptText(asOf.world, state, { project: ids[0]!, prompt: prompt.text }, config);
      asOf.forget(ids);
      if (text.includes('## Matching passages')) counts.answered++;
      else if (text.includes('Keepsake has ')) counts.offered++;
    }
  }
  await asOf.close();
  const share = (many: number) => `${many} of ${asked} (${((100 * many) / Math.max(1, asked)).toFixed(1)}%)`;
  for (const [where, { answered, offered }] of [
    ['another', there],
    ['their own (as first prompts)', here],
  ] as const)
    console.log(
      `prompts of one project asked in ${where}: passages to ${share(answered)}, offers to ${share(offered)}`,
    );
}

/** Untrue labeled sentences that would have been shown to later sessions of the project. */
function printNotTrue({ projects }: ReplayedHistory, gold: string): void {
  const rows = readGold(gold).filter(isNotTrue);
  let [could, shown] = [0, 0];
  const lines: string[] = [];
  for (const { repository, sessions } of projects)
    for (const row of rows) {
      const own = sessions.find(({ session }) => session === row.session || row.session.endsWith(session));
      if (!own) continue;
      const later = sessions.filter(({ first }) => first > own.last);
      if (later.length === 0) continue;
      could++;
      const texts = later.flatMap(({ injections = [] }) => injections);
      const found = texts.find(({ text }) => affirms(text, row));
      if (!found) continue;
      shown++;
      lines.push(`  ${repository.name} ${row.session}: at the ${found.on}`);
    }
  const share = ((100 * shown) / Math.max(1, could)).toFixed(1);
  console.log(
    `untrue sentences in injections: ${shown} of ${could} that a later session could have been shown (${share}%)`,
  );
  for (const line of lines) console.log(line);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
