import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Step, workSession } from '../made/work.ts';
import { builtCli, LAUNCHER, programEnv } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const DAYS = 60;
let home: CliHome;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  fill(home);
});
afterEach(() => home.remove());

/** Two months of sessions, one a day, in which instructions, files and questions come again. */
function fill({ projects }: CliHome): void {
  const folder = join(projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  for (let day = 0; day < DAYS; day++) {
    const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
    const id = `day${String(day).padStart(5, '0')}`;
    const steps: Step[] = Array.from({ length: 6 }, (_, n): Step[] => [
      { you: `Change \`roundPrice${n}\` in shop ${day}. Never edit the files under \`src/gen${n % 4}\`.` },
      { tool: 'Glob', input: { pattern: `**/price${n}*.ts` }, gives: `src/price${n}.ts` },
      { edit: `src/price${n}.ts` },
      { agent: `Done, \`roundPrice${n}\` of day ${day} rounds half up.` },
    ]).flat();
    writeFileSync(join(folder, `${id}.jsonl`), workSession(id, steps, date));
  }
}

function replayed({ archive }: CliHome): number {
  const root = join(archive, 'cache', 'replay');
  if (!existsSync(root)) return 0;
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.json')).length;
}

/** Runs a command until a replay has some sessions, and then ends it so. */
async function stopped(args: string[], signal: 'SIGINT' | 'SIGKILL') {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env: programEnv(home.path),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close');
  while (child.exitCode === null && replayed(home) < 4)
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill(signal);
  const [status] = await ended;
  return { status, output, errors };
}

test('Ctrl-C in the first run: the sessions are listed, nothing is lost, and the next run shows the cases', async () => {
  const { status, output, errors } = await stopped([], 'SIGINT');
  expect(status).toBe(130);
  expect(output).toContain('What next');
  expect(output).not.toContain('What memory would have done');
  const [, reached] =
    /Stopped: (\d+) of 60 sessions replayed\. Run `keepsake replay` to continue\./.exec(errors) ?? [];
  expect(Number(reached)).toBeGreaterThan(0);
  expect(Number(reached)).toBeLessThan(DAYS);
  expect(home.json('verify')).toMatchObject({ sessions: DAYS, passed: true });
  const next = home.ok();
  expect(next).toContain('What memory would have done for you');
  expect(next.match(/^ {1,2}\d {2}\S/gm)).toHaveLength(3);
  expect(next.match(/Turn memory on: `keepsake install`/g)).toHaveLength(1);
  expect(home.ok()).not.toContain('What memory would have done');
});

test('a replay that was killed continues where it stopped, with the report of one that was not', async () => {
  home.ok('sync');
  await stopped(['replay'], 'SIGKILL');
  const before = replayed(home);
  expect(before).toBeLessThan(DAYS);
  const report = home.json('replay');
  const other = new CliHome();
  try {
    fill(other);
    other.ok('sync');
    expect(other.json('replay')).toEqual(report);
  } finally {
    other.remove();
  }
  expect(report.figures.sessions).toBe(DAYS);
  expect(report.best).toHaveLength(10);
  // Once more, from what is kept alone.
  expect(home.json('replay')).toEqual(report);
});
