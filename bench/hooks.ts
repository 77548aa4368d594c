// Runs each hook as a whole process, as the agent does, next to `node -e 0`.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Turn, transcript } from '../test/made/conversation.ts';
import { isMain, median, table } from './bench-table.ts';
import { BESIDE_HEAD, besideNode, buildsIn, type Way } from './beside-node.ts';
import { type ArchiveSize, homesFor, MADE_TURNS, transcriptsOf } from './hook-homes.ts';
import { compareAnswers } from './hooks-same.ts';
import { anyWord, seeded } from './made-talk.ts';
import { mostTyped, realPrompts } from './real-prompts.ts';

const ROUNDS = 25;
const ROOT = join(import.meta.dirname, '..');
/** A session id that no earlier run used, since archives can be kept. */
const LIVE = `aaaaaaaa-0000-4000-8000-${String(process.pid).padStart(12, '0')}`;
/** The id of a session that starts with a prompt. */
const newSession = (round: number) => `bbbbbbbb-${String(round + 1).padStart(4, '0')}${LIVE.slice(13)}`;
type Prompts = Record<string, (round: number) => string>;
const OFTEN = ['PreToolUse', 'PostToolUse', 'Stop', 'SessionStart'];
const SELDOM = ['PreCompact', 'SessionEnd'];
const GOAL: Record<string, number> = { PreToolUse: 1.3, PostToolUse: 1.2, Stop: 1.2, SessionStart: 2 };
const GOAL_PROMPT = 2;

type Build = [name: string, root: string];

/** `[SESSIONS or DIR...] [--beside=CHECKOUT] [--keep=DIR] [--same=PROMPTS]`. */
export async function run(args: string[]): Promise<void> {
  const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const { builds, rest } = buildsIn(args, ROOT);
  const sizesOrFolders = rest.filter((arg) => !arg.startsWith('--'));
  const sizes: ArchiveSize[] =
    sizesOrFolders.length === 0 ? [10, 1000] : sizesOrFolders.map((it) => (/^\d+$/.test(it) ? +it : it));
  const same = option('same');
  if (same !== undefined) {
    for (const size of sizes)
      await compareAnswers(String(size), builds, { most: Number(same), keep: option('keep') });
    return;
  }
  const measured = sizes.map((size) => measure(size, builds, option('keep')));
  console.log(
    `\nwhole processes, median of ${ROUNDS}, generated sessions of ${MADE_TURNS} turns in one project\n`,
  );
  table(
    ['hook', 'sessions', ...BESIDE_HEAD, 'answers'],
    measured.flatMap(({ rows }) => rows),
  );
  if (builds.length === 1) return;
  console.log('\nprompts grouped by the answers of both builds, CPU of each as multiples of `node -e 0`\n');
  table(
    ['prompt', 'sessions', 'this build', 'other build', 'rounds', 'this CPU', 'other CPU'],
    measured.flatMap(({ alike }) => alike),
  );
}

/** A hook's answer in one round, and its CPU time. */
type Answer = { said: string; cpu: number };

function measure(size: ArchiveSize, builds: Build[], keep: string | undefined) {
  const answers = new Map<string, Answer[]>();
  const archives = homesFor(size, builds, keep);
  const archive = typeof size === 'number' ? size.toLocaleString('en') : 'the given folder';
  try {
    const made = builds.map(([name, root], at) => ({ name, of: hooksOf(archives.homes[at]!, root, size) }));
    const ways = (isOf: (event: string) => boolean) =>
      made.flatMap(({ name, of }) =>
        of
          .filter((way) => isOf(way.name))
          .map((way) => {
            const own: Answer[] = [];
            answers.set(way.name + name, own);
            const took = (out: string, cpu: number) => own.push({ said: kindOf(out), cpu });
            return { ...way, name: way.name + name, took };
          }),
      );
    const isSeldom = (event: string) => SELDOM.includes(event);
    // The continuing session runs first: starting or ending a session changes what the next hook finds.
    const often = besideNode(
      ways((event) => !isSeldom(event)),
      ROUNDS,
    );
    const floor = Number(often.get(FLOOR)?.[CPU_MS]);
    const rows = [...often, ...[...besideNode(ways(isSeldom), ROUNDS)].slice(1)];
    const alike = builds.length === 1 ? [] : byAnswer(answers, builds[1]![0], floor);
    return {
      rows: rows.map(([name, cells]) => [name, archive, ...cells, answersOf(answers.get(name) ?? [])]),
      alike: alike.map(([name = '', ...cells]) => [name, archive, ...cells]),
    };
  } finally {
    archives.remove();
  }
}

const FLOOR = 'node -e 0';
const CPU_MS = BESIDE_HEAD.indexOf('CPU ms');

/** The kind of an answer: silent, an offer, passages, or other. */
function kindOf(out: string): string {
  if (out === '') return 'silent';
  const text = JSON.parse(out).hookSpecificOutput.additionalContext as string;
  if (text.includes('Quoted from earlier')) return 'passages';
  return /Keepsake has \d+ earlier/.test(text) ? 'offer' : 'text';
}

/** Counts by kind, such as `20 silent, 5 offer`. */
function answersOf(answers: Answer[]): string {
  const kinds = Map.groupBy(answers, ({ said }) => said);
  return [...kinds].map(([kind, own]) => (kinds.size === 1 ? kind : `${own.length} ${kind}`)).join(', ');
}

/** One row per pair of answers: only equal answers took the same work. */
function byAnswer(answers: Map<string, Answer[]>, other: string, floor: number): string[][] {
  const times = (own: number[]) => `${(median(own) / floor).toFixed(2)}x`;
  return [...answers].flatMap(([name, own]) => {
    const beside = name.startsWith('UserPromptSubmit') ? answers.get(name + other) : undefined;
    if (!beside) return [];
    const pairs = own.map((one, round) => ({ one, another: beside[round]! }));
    const kinds = Map.groupBy(pairs, ({ one, another }) => `${one.said}\n${another.said}`);
    return [...kinds].map(([kind, all]) => [
      name,
      ...kind.split('\n'),
      String(all.length),
      times(all.map(({ one }) => one.cpu)),
      times(all.map(({ another }) => another.cpu)),
    ]);
  });
}

/** The most common kind of prompt: memory has nothing to add. */
const SILENT = { 'UserPromptSubmit, go on': () => 'Yes, please go on with the next step.' };
/** Marks a prompt that opens a session. */
const FIRST = 'first';

/** A question in words of the archive, one that names something, and a task without a name. */
function madePrompts(): Prompts {
  const random = seeded(11);
  const word = () => anyWord(random);
  const question = () => `Why does the ${word()} ${word()} time out when the ${word()} runs the ${word()}?`;
  return {
    ...SILENT,
    'UserPromptSubmit, a question': question,
    [`UserPromptSubmit, a ${FIRST} question`]: question,
    'UserPromptSubmit, a name': (round) => `Fix the ${word()} ${word()} of module${round % 500} in step 7.`,
    'UserPromptSubmit, work': () => `Please rename the ${word()} and go on with the ${word()}.`,
  };
}

/** Real typed prompts, with questions listed separately. */
function typedPrompts(texts: string[]): Prompts {
  const isQuestion = (text: string) => text.trimEnd().endsWith('?');
  const [questions, work] = [texts.filter(isQuestion), texts.filter((text) => !isQuestion(text))];
  const question = (round: number) => questions[(7 * round) % questions.length] ?? '';
  return {
    ...SILENT,
    'UserPromptSubmit, a question': question,
    [`UserPromptSubmit, a ${FIRST} question`]: question,
    'UserPromptSubmit, work': (round) => work[(7 * round) % work.length] ?? '',
  };
}

/** Each hook of a running session. */
function hooksOf(home: string, root: string, size: ArchiveSize): Way[] {
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
    const session_id = event.includes(FIRST) ? newSession(round) : LIVE;
    const common = {
      session_id,
      transcript_path: session_id === LIVE ? live : '',
      cwd,
      hook_event_name,
      source: 'startup',
    };
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
    // Older builds may not have this hook.
    if (!existsSync(program)) return [];
    const input = (round: number) => inputOf(event, round);
    return [{ name: event, args: [program], env, input, ...(goal === undefined ? {} : { goal }) }];
  });
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
