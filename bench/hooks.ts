// Each hook as a whole process, as the agent runs it, beside `node -e 0`.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateTokens } from '../src/core/text/estimate-tokens.ts';
import { type Turn, transcript } from '../test/made/conversation.ts';
import { isMain, median, table } from './bench-table.ts';
import { BESIDE_HEAD, besideNode, buildsIn, type Way } from './beside-node.ts';
import { anyWord, madeTalk, seeded } from './made-talk.ts';

const ROUNDS = 30;
const TURNS = 100;
const ROOT = join(import.meta.dirname, '..');
const LIVE = 'aaaaaaaa-0000-4000-8000-000000000000';
/** A prompt that asks with words of the archive, one that names something, and one that is work without a name. */
const PROMPTS: Record<string, (word: () => string, round: number) => string> = {
  'UserPromptSubmit, a question': (word) =>
    `Why does the ${word()} ${word()} time out when the ${word()} runs the ${word()}?`,
  'UserPromptSubmit, a name': (word, round) =>
    `Fix the ${word()} ${word()} of module${round % 500} in step 7.`,
  'UserPromptSubmit, work': (word) => `Please rename the ${word()} and go on with the ${word()}.`,
};
const OFTEN = ['PreToolUse', 'PostToolUse', 'Stop', 'SessionStart', ...Object.keys(PROMPTS)];
const SELDOM = ['PreCompact', 'SessionEnd'];
const GOAL: Record<string, number> = { PreToolUse: 1.3, PostToolUse: 1.2, Stop: 1.2, SessionStart: 2 };

/** `[SESSIONS...] [--beside=DIR]`. */
export async function run(args: string[]): Promise<void> {
  const { builds, rest } = buildsIn(args, ROOT);
  const rows: string[][] = [];
  for (const sessions of rest.length === 0 ? [10, 1000] : rest.map(Number))
    rows.push(...measure(sessions, builds));
  console.log(`\nwhole processes, median of ${ROUNDS}, sessions of ${TURNS} turns in one project\n`);
  table(['hook', 'sessions', ...BESIDE_HEAD, 'tokens said'], rows);
}

function measure(sessions: number, builds: [name: string, root: string][]): string[][] {
  const homes: string[] = [];
  const said = new Map<string, number[]>();
  try {
    const made = builds.map(([name, root]) => {
      const home = mkdtempSync(join(tmpdir(), 'keepsake-bench-hooks-'));
      homes.push(home);
      return { name, ways: hooksOf(home, root, sessions) };
    });
    const ways = (events: string[]) =>
      made.flatMap(({ name, ways: of }) =>
        events.flatMap((event) => {
          const way = of(event);
          const took = (out: string) => {
            const text = out === '' ? '' : (JSON.parse(out).hookSpecificOutput.additionalContext as string);
            said.set(way.name + name, [...(said.get(way.name + name) ?? []), estimateTokens(text)]);
          };
          return [{ ...way, name: way.name + name, took }];
        }),
      );
    // A session that goes on, first; what begins or ends one changes what the next hook finds.
    const rows = [...besideNode(ways(OFTEN), ROUNDS), ...[...besideNode(ways(SELDOM), ROUNDS)].slice(1)];
    return rows.map(([name, cells]) => [
      name,
      sessions.toLocaleString('en'),
      ...cells,
      String(median(said.get(name) ?? [0])),
    ]);
  } finally {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
}

/** An archive of so many sessions and one that is going on, and each hook of it. */
function hooksOf(home: string, root: string, sessions: number): (event: string) => Way {
  const cwd = join(home, 'app');
  const projects = join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
  const env = { PATH: process.env.PATH, HOME: home };
  mkdirSync(cwd);
  mkdirSync(projects, { recursive: true });
  const random = seeded(7);
  for (let n = 0; n < sessions; n++) {
    const id = `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
    writeFileSync(join(projects, `${id}.jsonl`), transcript(cwd, id, madeTalk(random, n, TURNS)));
  }
  const synced = spawnSync(process.execPath, [join(root, 'bin', 'keepsake'), 'sync'], { env, cwd });
  if (synced.status !== 0) throw new Error(String(synced.stderr));
  const live = join(projects, `${LIVE}.jsonl`);
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
    const prompt = PROMPTS[event]?.(() => anyWord(random), round + 1) ?? '';
    const tool = event.endsWith('ToolUse') ? { tool_name: 'Bash', tool_input: { command: 'npm test' } } : {};
    const hook_event_name = event.split(',')[0];
    const common = { session_id: LIVE, transcript_path: live, cwd, hook_event_name, source: 'startup' };
    return JSON.stringify({ ...common, prompt, ...tool });
  };
  const hook = join(root, 'plugin', 'dist', 'hook.cjs');
  grow();
  for (const event of ['Stop', 'SessionEnd', 'SessionStart'])
    spawnSync(process.execPath, [hook], { env, input: inputOf(event, 0) });
  return (event) => ({
    name: event,
    args: [event === 'PreToolUse' ? join(root, 'plugin', 'dist', 'action.cjs') : hook],
    env,
    input: (round) => inputOf(event, round),
    ...(PROMPTS[event] ? { goal: 2 } : GOAL[event] === undefined ? {} : { goal: GOAL[event] }),
  });
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
