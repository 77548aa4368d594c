import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtCli, LAUNCHER } from './built-cli.ts';
import { ended, HookRuns } from './hook-runs.ts';
import { settled } from './settled.ts';

beforeAll(() => builtCli());

const A = 'aaaaaaaa-1111-4111-8111-111111111111';
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionEnd',
];
const COMMANDS = [
  ['--version'],
  ['--help'],
  ['--list'],
  ['sync'],
  ['status'],
  ['sessions'],
  ['projects'],
  ['search', 'gulls'],
  ['recall', 'gulls'],
  ['facts'],
  ['memory'],
  ['doctor'],
  ['verify'],
  ['stats'],
  ['replay'],
  ['compress', A],
  ['decay'],
  ['nonsense'],
];
/** As long as anything may be at work after its command or hook ended, but the one child that is bounded by itself. */
const LONGEST_MS = 10_000;
const LOOK_MS = 50;

/** Processes that were started with this home, by the kernel's own list. */
function processesOf(home: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
      } catch {
        // It ended meanwhile, or is another user's.
        return false;
      }
    });
}

/** The one child that ends by itself, by its mark. */
function boundedChild(archive: string): string {
  try {
    return readFileSync(join(archive, 'cache', 'detached', '.running'), 'utf8').trim();
  } catch {
    return '';
  }
}

async function leftOf({ home, archive }: HookRuns): Promise<string> {
  const others = () => processesOf(home).filter((pid) => pid !== boundedChild(archive));
  let left = others();
  // What still works is on its way to its end, however slow a busy machine makes it.
  for (let idle = 0, before = 0; left.length > 0 && idle < LONGEST_MS; left = others()) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const used = left.reduce((sum, pid) => sum + ticksOf(pid), 0);
    if (used === before) idle += LOOK_MS;
    before = used;
  }
  return left.join(' ');
}

/** Of the processor, by the kernel's own count. */
function ticksOf(pid: string): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

test.skipIf(process.platform !== 'linux')(
  '10 idle seconds after any hook and any command no process is left',
  async () => {
    const hooks = new HookRuns();
    try {
      const other = spawn(process.execPath, ['-e', 'setTimeout(() => 0, 60_000)'], {
        env: { PATH: process.env.PATH, HOME: hooks.home },
      });
      await new Promise((resolve) => other.once('spawn', resolve));
      // The list does see one.
      expect(processesOf(hooks.home)).toEqual([String(other.pid)]);
      other.kill('SIGKILL');
      await new Promise((resolve) => other.once('exit', resolve));
      hooks.write(A, [
        { you: 'From now on always feed the gulls before you sweep the gallery.', agent: 'I will.' },
      ]);
      for (const event of EVENTS) {
        const more = { prompt: 'Which gulls did we feed?', tool_name: 'Bash', tool_input: { command: 'ls' } };
        await ended(hooks.start(hooks.input(event, A, more)));
        expect(`${event}: ${await leftOf(hooks)}`).toBe(`${event}: `);
      }
      for (const args of COMMANDS) {
        const env = { PATH: process.env.PATH, HOME: hooks.home, TZ: 'UTC' };
        spawnSync(process.execPath, [LAUNCHER, ...args], { cwd: hooks.cwd, env, input: '' });
        expect(`${args.join(' ')}: ${await leftOf(hooks)}`).toBe(`${args.join(' ')}: `);
      }
      await settled(hooks.archive);
      expect(await leftOf(hooks)).toBe('');
      expect(boundedChild(hooks.archive)).toBe('');
    } finally {
      hooks.remove();
    }
  },
);
