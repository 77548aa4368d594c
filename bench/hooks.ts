// Each hook as a whole process, as the agent runs it, beside `node -e 0`.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateTokens } from '../src/core/text/estimate-tokens.ts';
import { type Turn, transcript } from '../test/made/conversation.ts';
import { isMain, median, table } from './bench-table.ts';
import { BESIDE_HEAD, besideNode, buildsIn, type Way } from './beside-node.ts';
import { anyWord, madeTalk, seeded } from './made-talk.ts';
import { mostTyped, type RealPrompt, realPrompts } from './real-prompts.ts';

const ROUNDS = 25;
/** Prompts that are also asked of search and recall. */
const MOST_QUERIES = 60;
const TURNS = 100;
const ROOT = join(import.meta.dirname, '..');
/** One that no run before had, for archives that are kept. */
const LIVE = `aaaaaaaa-0000-4000-8000-${String(process.pid).padStart(12, '0')}`;
type Prompts = Record<string, (round: number) => string>;
const OFTEN = ['PreToolUse', 'PostToolUse', 'Stop', 'SessionStart'];
const SELDOM = ['PreCompact', 'SessionEnd'];
const GOAL: Record<string, number> = { PreToolUse: 1.3, PostToolUse: 1.2, Stop: 1.2, SessionStart: 2 };
const GOAL_PROMPT = 2;

/** What an archive holds: so many made sessions, or those of a folder. */
type Size = number | string;
type Build = [name: string, root: string];

/** `[SESSIONS or DIR...] [--beside=CHECKOUT] [--keep=DIR] [--same=PROMPTS]`. */
export async function run(args: string[]): Promise<void> {
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const { builds, rest } = buildsIn(args, ROOT);
  const given = rest.filter((arg) => !arg.startsWith('--'));
  const sizes: Size[] = given.length === 0 ? [10, 1000] : given.map((it) => (/^\d+$/.test(it) ? +it : it));
  const same = option('same');
  if (same !== undefined) {
    for (const size of sizes) compare(String(size), builds, { most: Number(same), keep: option('keep') });
    return;
  }
  const rows = sizes.flatMap((size) => measure(size, builds, option('keep')));
  console.log(`\nwhole processes, median of ${ROUNDS}, made sessions of ${TURNS} turns in one project\n`);
  table(['hook', 'sessions', ...BESIDE_HEAD, 'tokens said'], rows);
}

function measure(size: Size, builds: Build[], keep: string | undefined): string[][] {
  const said = new Map<string, number[]>();
  const archives = homesFor(size, builds, keep);
  try {
    const made = builds.map(([name, root], at) => ({
      name,
      root,
      of: hooksOf(archives.homes[at]!, root, size),
    }));
    const ways = (isOf: (event: string) => boolean) =>
      made.flatMap(({ name, of }) =>
        of
          .filter((way) => isOf(way.name))
          .map((way) => {
            const took = (out: string) => {
              const text = out === '' ? '' : (JSON.parse(out).hookSpecificOutput.additionalContext as string);
              said.set(way.name + name, [...(said.get(way.name + name) ?? []), estimateTokens(text)]);
            };
            return { ...way, name: way.name + name, took };
          }),
      );
    const isSeldom = (event: string) => SELDOM.includes(event);
    // A session that goes on, first; what begins or ends one changes what the next hook finds.
    const often = besideNode(
      ways((event) => !isSeldom(event)),
      ROUNDS,
    );
    const rows = [...often, ...[...besideNode(ways(isSeldom), ROUNDS)].slice(1)];
    const archive = typeof size === 'number' ? size.toLocaleString('en') : 'the folder given';
    return rows.map(([name, cells]) => [name, archive, ...cells, String(median(said.get(name) ?? [0]))]);
  } finally {
    archives.remove();
  }
}

/** A home for each build. Those of `keep` are used again: to make them takes longer than to measure. */
function homesFor(
  size: Size,
  builds: Build[],
  keep: string | undefined,
): { homes: string[]; remove(): void } {
  const homes = builds.map(([, root], at) => {
    const kept = keep && join(keep, `${String(size).replace(/\W+/g, '-')}-${at}`);
    const home = kept ?? mkdtempSync(join(tmpdir(), 'keepsake-bench-hooks-'));
    if (!existsSync(join(home, 'app'))) makeSessions(home, size);
    const from = typeof size === 'string' ? ['--from', size] : [];
    const env = { PATH: process.env.PATH, HOME: home };
    const cwd = join(home, 'app');
    const synced = spawnSync(process.execPath, [join(root, 'bin', 'keepsake'), 'sync', ...from], {
      env,
      cwd,
    });
    if (synced.status !== 0) throw new Error(String(synced.stderr));
    return home;
  });
  const remove = () => {
    if (!keep) for (const home of homes) rmSync(home, { recursive: true, force: true });
  };
  return { homes, remove };
}

function transcriptsOf(home: string): string {
  return join(home, '.claude', 'projects', join(home, 'app').replace(/[^A-Za-z0-9]/g, '-'));
}

function makeSessions(home: string, size: Size): void {
  const cwd = join(home, 'app');
  mkdirSync(cwd, { recursive: true });
  mkdirSync(transcriptsOf(home), { recursive: true });
  if (typeof size === 'string') return;
  const random = seeded(7);
  for (let n = 0; n < size; n++) {
    const id = `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
    writeFileSync(join(transcriptsOf(home), `${id}.jsonl`), transcript(cwd, id, madeTalk(random, n, TURNS)));
  }
}

/** A prompt that asks with words of the archive, one that names something, and one that is work without a name. */
function madePrompts(): Prompts {
  const random = seeded(11);
  const word = () => anyWord(random);
  return {
    'UserPromptSubmit, a question': () =>
      `Why does the ${word()} ${word()} time out when the ${word()} runs the ${word()}?`,
    'UserPromptSubmit, a name': (round) => `Fix the ${word()} ${word()} of module${round % 500} in step 7.`,
    'UserPromptSubmit, work': () => `Please rename the ${word()} and go on with the ${word()}.`,
  };
}

/** What was typed, the questions apart. */
function typedPrompts(texts: string[]): Prompts {
  const isQuestion = (text: string) => text.trimEnd().endsWith('?');
  const [questions, work] = [texts.filter(isQuestion), texts.filter((text) => !isQuestion(text))];
  return {
    'UserPromptSubmit, a question': (round) => questions[(7 * round) % questions.length] ?? '',
    'UserPromptSubmit, work': (round) => work[(7 * round) % work.length] ?? '',
  };
}

/** Each hook of a session that is going on. */
function hooksOf(home: string, root: string, size: Size): Way[] {
  const typed = typeof size === 'string' ? mostTyped(realPrompts(size)) : undefined;
  const cwd = typed?.cwd ?? join(home, 'app');
  const prompts = typed ? typedPrompts(typed.texts) : madePrompts();
  const env = { PATH: process.env.PATH, HOME: home };
  const live = join(transcriptsOf(home), `${LIVE}.jsonl`);
  const random = seeded(9);
  let turn = 0;
  const grow = () => {
    const turns: Turn[] = Array.from({ length: turn }, () => ({}));
    turns.push({
      you: `Look at the ${anyWord(random)}.`,
      agent: `The ${anyWord(random)} needs a ${anyWord(random)}.`,
    });
    appendFileSync(live, transcript(cwd, LIVE, turns));
    turn++;
  };
  const inputOf = (event: string, round: number) => {
    if (event === 'Stop' || event === 'SessionEnd') grow();
    const prompt = prompts[event]?.(round + 1) ?? '';
    const tool = event.endsWith('ToolUse') ? { tool_name: 'Bash', tool_input: { command: 'npm test' } } : {};
    const hook_event_name = event.split(',')[0];
    const common = { session_id: LIVE, transcript_path: live, cwd, hook_event_name, source: 'startup' };
    return JSON.stringify({ ...common, prompt, ...tool });
  };
  const programs: Record<string, string> = { PreToolUse: join(root, 'plugin', 'dist', 'action.cjs') };
  const hook = join(root, 'plugin', 'dist', 'hook.cjs');
  grow();
  for (const event of ['Stop', 'SessionEnd', 'SessionStart'])
    spawnSync(process.execPath, [hook], { env, input: inputOf(event, 0) });
  return [...OFTEN, ...Object.keys(prompts), ...SELDOM].flatMap((event) => {
    const program = programs[event] ?? hook;
    const goal = prompts[event] ? GOAL_PROMPT : GOAL[event];
    // An older build may have no such hook.
    if (!existsSync(program)) return [];
    const input = (round: number) => inputOf(event, round);
    return [{ name: event, args: [program], env, input, ...(goal === undefined ? {} : { goal }) }];
  });
}

/** Whether two builds answer prompts of real sessions alike, byte for byte, each as the first of its session. */
function compare(
  folder: string,
  builds: Build[],
  { most, keep }: { most: number; keep: string | undefined },
): void {
  const all = realPrompts(folder);
  const step = Math.max(1, all.length / most);
  const prompts = Array.from({ length: Math.min(most, all.length) }, (_, n) => all[Math.floor(n * step)]!);
  const archives = homesFor(folder, builds, keep);
  try {
    const answers = prompts.map((prompt, n) =>
      builds.map(([, root], at) => answerTo(prompt, n, { root, home: archives.homes[at]! })),
    );
    const spoke = answers.filter(([first]) => first !== '').length;
    const alike = answers.filter(([first, ...others]) => others.every((other) => other === first)).length;
    console.log(`${alike} of ${prompts.length} prompts are answered alike; ${spoke} get an answer`);
    compareCommands(
      prompts.map(({ text }) => text),
      builds,
      archives.homes,
    );
    answers.forEach(([first, other], n) => {
      if (first !== other) console.log({ prompt: prompts[n]!.text.slice(0, 200), first, other });
    });
  } finally {
    archives.remove();
  }
}

/** Whether two builds print alike: each prompt as a query, and the lists. Both read the archive of the first. */
function compareCommands(prompts: string[], builds: Build[], [home = '']: string[]): void {
  const short = prompts.map((text) => text.replace(/\s+/g, ' ').slice(0, 100)).slice(0, MOST_QUERIES);
  const commands = [
    ...short.flatMap((query) => [
      ['search', '--json', '--', query],
      ['recall', '--', query],
    ]),
    ['sessions', '--all'],
    ['sessions', '--json'],
    ['projects'],
    ['facts'],
  ];
  const printed = (root: string, args: string[]) =>
    spawnSync(process.execPath, [join(root, 'bin', 'keepsake'), ...args], {
      env: { PATH: process.env.PATH, HOME: home, TZ: 'UTC' },
      cwd: join(home, 'app'),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }).stdout;
  const alike = commands.filter((args) => new Set(builds.map(([, root]) => printed(root, args))).size === 1);
  console.log(`${alike.length} of ${commands.length} commands print alike (search, recall and lists)`);
}

function answerTo(
  { cwd, text }: RealPrompt,
  n: number,
  { root, home }: { root: string; home: string },
): string {
  const session_id = `${LIVE.slice(0, -12)}${String(process.pid * 10_000 + n)
    .padStart(12, '0')
    .slice(-12)}`;
  const input = { session_id, transcript_path: '', cwd, hook_event_name: 'UserPromptSubmit', prompt: text };
  const env = { PATH: process.env.PATH, HOME: home };
  const hook = join(root, 'plugin', 'dist', 'hook.cjs');
  return spawnSync(process.execPath, [hook], { env, input: JSON.stringify(input), encoding: 'utf8' }).stdout;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
