import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transcript } from '../made/conversation.ts';
import { FakeModelServer } from '../made/fake-model-server.ts';
import { honest } from '../made/model-answers.ts';
import { builtCli, LAUNCHER, programEnv } from './built-cli.ts';

const KEY = 'sk-ant-fake-dummy';
let fake: FakeModelServer;
let home: string;
beforeAll(async () => {
  const cleanUp = builtCli();
  fake = await FakeModelServer.start((asked) => honest(asked));
  home = mkdtempSync(join(tmpdir(), 'keepsake-models-'));
  const turns = Array.from({ length: 60 }, (_, n) => ({
    you: `Look at basket ${n}.`,
    agent: Array.from({ length: 20 }, (_, k) => `Basket ${n} rounds price ${k} of src/basket${n}.ts.`).join(
      ' ',
    ),
  }));
  const folder = join(home, '.claude', 'projects', '-srv-shop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'one.jsonl'), transcript('/srv/shop', 'one', turns));
  expect((await keepsake('sync')).status).toBe(0);
  return cleanUp;
});
afterAll(async () => {
  await fake.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

type Ran = { status: number | null; stdout: string; stderr: string };

function keepsake(...args: string[]): Promise<Ran> {
  return start(args).ran;
}

function start(args: string[]): { ran: Promise<Ran>; kill: () => void } {
  const env = {
    ...programEnv(home),
    ANTHROPIC_BASE_URL: fake.url,
    ANTHROPIC_API_KEY: KEY,
  };
  // The program itself, not the launcher's child: a kill must meet who does the work.
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env,
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes.toString('utf8');
  });
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes.toString('utf8');
  });
  const ran = new Promise<Ran>((resolve) =>
    child.on('close', (status) => resolve({ status, stdout, stderr })),
  );
  return { ran, kill: () => child.kill('SIGKILL') };
}

const versions = () => {
  const summaries = join(home, '.claude-memory', 'projects', '-srv-shop', 'summaries', 'one');
  try {
    return readdirSync(summaries).filter((name) => name.startsWith('part'));
  } catch {
    return [];
  }
};

describe('models on the command line', () => {
  test('models and a dry run show what is available and what it costs, and send nothing', async () => {
    const { stdout } = await keepsake('models', '--check');
    expect(stdout).toContain('claude-opus-5-5');
    expect(stdout).toMatch(/anthropic +ready/);
    expect(stdout).not.toContain(KEY);
    const dry = await keepsake('compress', 'one', '--model', 'opus', '--ratio', '2', '--dry-run');
    expect(dry.stdout).toMatch(/About \$[\d.]+, at most \$[\d.]+/);
    expect(fake.asked).toEqual([]);
  });

  test('killed in the middle, it leaves no version and no half file; the next run pays only for what is missing', async () => {
    const dry = await keepsake('compress', 'one', '--model', 'opus', '--ratio', '2', '--dry-run', '--json');
    const { calls } = JSON.parse(dry.stdout).items[0].estimate;
    expect(calls).toBeGreaterThan(2);
    await keepsake('config', 'set', 'model.atOnce', '1');
    const run = start(['compress', 'one', '--model', 'opus', '--ratio', '2']);
    fake.answer = (asked) => {
      if (asked.number === 3) run.kill();
      return asked.number === 3 ? { hang: true } : honest(asked);
    };
    expect((await run.ran).status).toBeNull();
    expect(versions()).toEqual([]);
    fake.answer = (asked) => honest(asked);
    const before = fake.asked.length;
    expect(before).toBe(3);
    expect((await keepsake('compress', 'one', '--model', 'opus', '--ratio', '2')).status).toBe(0);
    expect(fake.asked.length - before).toBe(calls - 2);
    expect(versions()).toHaveLength(2);
  });

  test('the ledger lists every call, including one that never ended', async () => {
    const { stdout } = await keepsake('ledger', '--calls', '--json');
    const { items } = JSON.parse(stdout) as { items: { ended: boolean }[] };
    expect(items).toHaveLength(fake.asked.length);
    expect(items.filter(({ ended }) => !ended)).toHaveLength(1);
    expect((await keepsake('ledger')).stdout).toContain('The daily cap is 5.00 USD.');
    const once = ['models', 'run', 'concepts', '--model', 'no-such-model', '--project=-srv-shop'];
    expect((await keepsake(...once)).stderr).toContain('no-such-model');
    const pending = await keepsake('models', 'run', '--dry-run', '--project=-srv-shop');
    expect(pending.stdout).toContain('exchanges: 60 waiting for a model.');
  });
});
