// Each hook as a whole process, as the agent runs it, beside `node -e 0`; interleaved, so that a busy machine hurts all alike.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { estimateTokens } from '../src/core/text/estimate-tokens.ts';
import { type Turn, transcript } from '../test/made/conversation.ts';
import { isMain, median, percentile, table } from './bench-table.ts';

const ROUNDS = 30;
const TURNS = 100;
const ROOT = join(import.meta.dirname, '..');
const LIVE = 'aaaaaaaa-0000-4000-8000-000000000000';
const WORDS =
  'cache token parser index branch commit migration schema retry timeout queue worker lock manifest checksum refactor release deploy rollback snapshot render widget layout palette socket stream buffer encoder decoder router handler middleware session cookie fixture assertion coverage profile allocator thread signal daemon kernel cursor segment posting stemmer ranking'.split(
    ' ',
  );
const OFTEN = ['PostToolUse', 'Stop', 'SessionStart', 'UserPromptSubmit'];
const SELDOM = ['PreCompact', 'SessionEnd'];
const GOAL: Record<string, string> = {
  PostToolUse: '1.3x',
  Stop: '1.3x',
  SessionStart: '2x',
  UserPromptSubmit: '2x',
};

export async function run(args: string[]): Promise<void> {
  const rows: string[][] = [];
  for (const sessions of args.length === 0 ? [10, 1000] : args.map(Number)) rows.push(...measure(sessions));
  console.log(`\nwhole processes, median of ${ROUNDS}, sessions of ${TURNS} turns in one project\n`);
  table(['sessions', 'hook', 'median ms', 'p90 ms', 'node -e 0', 'goal', 'tokens told'], rows);
}

function measure(sessions: number): string[][] {
  const home = mkdtempSync(join(tmpdir(), 'keepsake-bench-hooks-'));
  const cwd = join(home, 'app');
  const projects = join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
  const env = { PATH: process.env.PATH, HOME: home };
  try {
    mkdirSync(cwd);
    mkdirSync(projects, { recursive: true });
    const random = seeded(7);
    for (let n = 0; n < sessions; n++) {
      const id = `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`;
      writeFileSync(join(projects, `${id}.jsonl`), transcript(cwd, id, talk(random, n)));
    }
    const synced = spawnSync(process.execPath, [join(ROOT, 'bin', 'keepsake'), 'sync'], { env, cwd });
    if (synced.status !== 0) throw new Error(String(synced.stderr));
    const live = join(projects, `${LIVE}.jsonl`);
    const hook = (event: string) => {
      const input = {
        session_id: LIVE,
        transcript_path: live,
        cwd,
        hook_event_name: event,
        source: 'startup',
      };
      const prompt = `Why does the ${pick(random)} ${pick(random)} time out when the ${pick(random)} runs the ${pick(random)}?`;
      return spawned([join(ROOT, 'plugin', 'dist', 'hook.cjs')], env, JSON.stringify({ ...input, prompt }));
    };
    let turn = 0;
    const grow = () => {
      const made: Turn[] = Array.from({ length: turn }, () => ({}));
      made.push({
        you: `Look at the ${pick(random)}.`,
        agent: `The ${pick(random)} needs a ${pick(random)}.`,
      });
      appendFileSync(live, transcript(cwd, LIVE, made));
      turn++;
    };
    grow();
    for (const event of ['Stop', 'SessionEnd', 'SessionStart']) hook(event);
    const events = [...OFTEN, ...SELDOM];
    const times = new Map(['floor', ...events].map((name) => [name, [] as number[]]));
    const reported = new Map<string, number[]>();
    // A session that goes on, first; what begins or ends one changes what the next hook finds.
    for (let round = 0; round < 2 * ROUNDS; round++) {
      times.get('floor')!.push(spawned(['-e', '0'], env, '').ms);
      for (const event of round < ROUNDS ? OFTEN : SELDOM) {
        if (event === 'Stop' || event === 'SessionEnd') grow();
        const { ms, out } = hook(event);
        times.get(event)!.push(ms);
        const text = out === '' ? '' : (JSON.parse(out).hookSpecificOutput.additionalContext as string);
        reported.set(event, [...(reported.get(event) ?? []), estimateTokens(text)]);
      }
    }
    const floor = median(times.get('floor')!);
    return events.map((event) => [
      sessions.toLocaleString('en'),
      event,
      median(times.get(event)!).toFixed(1),
      percentile(times.get(event)!, 90).toFixed(1),
      `${(median(times.get(event)!) / floor).toFixed(2)}x of ${floor.toFixed(1)}`,
      GOAL[event] ?? '',
      String(median(reported.get(event) ?? [])),
    ]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function spawned(args: string[], env: NodeJS.ProcessEnv, input: string): { ms: number; out: string } {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, input, encoding: 'utf8' });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { ms, out: stdout };
}

function talk(random: () => number, session: number): Turn[] {
  return Array.from({ length: TURNS / 2 }, (_, n) => ({
    you: `In task ${session}, what about the ${pick(random)} and the ${pick(random)} of module${Math.floor(random() * 500)}?`,
    agent: `The ${pick(random)} of module${Math.floor(random() * 500)} wants a ${pick(random)} before the ${pick(random)} is done; ${pick(random)} first, then ${pick(random)}. Step ${n}.`,
    at: new Date(Date.UTC(2026, 0, 1) + session * 3_600_000 + n * 60_000).toISOString(),
  }));
}

function pick(random: () => number): string {
  return WORDS[Math.floor(random() * WORDS.length)]!;
}

/** The same talk each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
