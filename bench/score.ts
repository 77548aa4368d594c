// How many true items of labeled sessions the facts, memory files and journal pages of an archive contain, counted as the labels' script does.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { allSessions } from '../src/app/find/sessions.ts';
import { importChats } from '../src/app/import/import-chats.ts';
import { planSummary } from '../src/app/journal/summarize.ts';
import { type FactRow, listFacts } from '../src/app/layers/facts.ts';
import { sync } from '../src/app/sync/sync.ts';
import { makeWorld, type TestWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { isImportant, nameOf, percent } from './statements.ts';
import {
  affirms,
  type GoldRow,
  holds,
  isNotTrue,
  isTrue,
  readGold,
  sessionFiles,
} from './statements-gold.ts';

const ALL = 1_000_000;
const MOST_OUTPUT = 64 * 1024 * 1024;
const CHARACTERS_A_TOKEN = 4;

/** Texts of each session that are compared with its labels. */
type Layer = (session: string) => string[];
type Labels = { session: string; project: string; truths: GoldRow[]; wrongs: GoldRow[] };

export async function run(args: string[]): Promise<void> {
  const [gold, ...folders] = args.filter((arg) => !arg.startsWith('--'));
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((folder) => !existsSync(folder)))
    throw new Error(
      'Missing folder of labels and folders of their sessions (one per project). Usage: npm run bench -- score GOLD DIR ... [--script=FILE --inputs=DIR]',
    );
  const script = option('script');
  if (script !== undefined) return runScript(script, option('inputs') ?? '', { gold, folders });
  const world = makeWorld();
  try {
    for (const folder of folders) await archive(world, folder);
    await report(world, readGold(gold), folders);
  } finally {
    await world.remove();
  }
}

/** Runs the labels' script on the built program, once per project, each in an empty archive. */
function runScript(
  script: string,
  inputs: string,
  { gold, folders }: { gold: string; folders: string[] },
): void {
  const labels = readdirSync(gold)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(gold, name));
  const program = join(import.meta.dirname, '..', 'bin', 'keepsake');
  for (const folder of folders) {
    const args = [script, program, inputs, `${labels.join(',')}=${folder.replace(/\/$/, '')}`];
    const { status, stdout, stderr } = spawnSync('python3', args, {
      encoding: 'utf8',
      maxBuffer: MOST_OUTPUT,
    });
    if (status !== 0) throw new Error(stderr);
    console.log(`${nameOf(folder)}\n${stdout}`);
  }
}

async function archive(world: TestWorld, folder: string): Promise<void> {
  const isChats = folder.replace(/\/$/, '').endsWith('chat_jsonl');
  if (isChats) await importChats(world, folder, { project: basename(dirname(folder)) });
  else await sync(world, { from: [folder] });
}

async function report(world: TestWorld, rows: GoldRow[], folders: string[]): Promise<void> {
  const sessions = await allSessions(world);
  const labels = labelsOf(rows, folders, new Set(sessions.map(({ sessionId }) => sessionId)));
  const shown = (await listFacts(world, { limit: ALL })).items;
  const candidates = (await listFacts(world, { limit: ALL, candidates: true })).items;
  const memory = memoryTexts(world);
  const pages = new Map<string, string[]>();
  for (const { session } of labels)
    pages.set(session, [(await planSummary(world, { id: session, print: true })).plan.text]);
  const layers: Record<string, Layer> = {
    'facts shown': bySession(shown),
    'with candidates': bySession([...shown, ...candidates]),
    'memory files': () => memory.texts,
    'journal page': (session) => pages.get(session) ?? [],
  };
  const mean = (layer: Layer) =>
    labels.reduce((sum, { session }) => sum + layer(session).length, 0) / Math.max(1, labels.length);
  const tokens = memory.characters / CHARACTERS_A_TOKEN / Math.max(1, sessions.length);
  console.log(
    `${labels.length} sessions; a session has ${mean(layers['facts shown']!).toFixed(1)} facts shown, ${mean(layers['with candidates']!).toFixed(1)} with candidates; memory files: ${tokens.toFixed(0)} tokens per session\n`,
  );
  for (const [name, layer] of Object.entries(layers)) {
    const lines = [...folders, 'all'].flatMap((folder) => {
      const own = labels.filter(({ project }) => folder === 'all' || project === folder);
      return own.length === 0 ? [] : [[nameOf(folder), ...figures(own, layer)]];
    });
    table([name, 'true', 'important', 'not true'], lines);
    console.log('');
  }
}

/** The labels of each archived session, by its id in the archive. */
function labelsOf(rows: GoldRow[], folders: string[], known: Set<string>): Labels[] {
  const files = sessionFiles(folders, new Set(rows.map(({ session }) => session)));
  return [...files].flatMap(([session, { path, project }]) => {
    const stem = basename(path).replace(/\.[^.]+$/, '');
    const id = [session, stem].find((it) => known.has(it)) ?? [...known].find((it) => stem.includes(it));
    const own = rows.filter((row) => row.session === session);
    return id === undefined
      ? []
      : [{ session: id, project, truths: own.filter(isTrue), wrongs: own.filter(isNotTrue) }];
  });
}

function bySession(facts: FactRow[]): Layer {
  const texts = new Map<string, string[]>();
  for (const { content, problem, sources } of facts) {
    const text = [content, problem ?? ''].join(' ');
    for (const id of new Set(sources.map(({ sessionId }) => sessionId)))
      texts.set(id, [...(texts.get(id) ?? []), text]);
  }
  return (session) => texts.get(session) ?? [];
}

function memoryTexts(world: TestWorld): { texts: string[]; characters: number } {
  const root = join(world.places.archive, 'projects');
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /^[^/]+\/memory\//.test(path.slice(root.length + 1)));
  const whole = files.map((path) => readFileSync(path, 'utf8'));
  return {
    texts: whole.flatMap((text) => text.split(/\n(?=- |#|\n)/)),
    characters: whole.reduce((sum, { length }) => sum + length, 0),
  };
}

function figures(sessions: Labels[], layer: Layer): string[] {
  const truths = sessions.flatMap(({ session, truths }) => truths.map((row) => ({ row, session })));
  const wrongs = sessions.flatMap(({ session, wrongs }) => wrongs.map((row) => ({ row, session })));
  const held = truths.filter(({ row, session }) => layer(session).some((text) => holds(text, row)));
  const stated = wrongs.filter(({ row, session }) => layer(session).some((text) => affirms(text, row)));
  const important = (rows: { row: GoldRow }[]) => rows.filter(({ row }) => isImportant(row)).length;
  return [
    percent(held.length, truths.length),
    percent(important(held), important(truths)),
    `${percent(stated.length, wrongs.length)} (${stated.length})`,
  ];
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
