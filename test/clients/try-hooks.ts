import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { workSession } from '../made/work.ts';
import type { Client } from './clients.ts';
import { FakeModels } from './fake-models.ts';
import { spawn } from './try-client.ts';

const RULE = 'From now on always install with pnpm, never npm, in this project.';
const PROMPT = 'ask which package manager we use here';
const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'keepsake');

/** Of a rule that was said to Claude Code: whether another agent heard it, and what was read of its session as the user's. */
type HookTrial = { agent: string; version: string; isHeard: boolean; yours: string[]; left: string[] };

/** `keepsake install` into a real client, one prompt, `sync`, `uninstall`. */
export async function tryHooks(
  client: Client,
  { path, version }: { path: string; version: string },
): Promise<HookTrial> {
  const services = await FakeModels.start();
  const home = mkdtempSync(join(tmpdir(), `keepsake-hooks-${client.agent}-`));
  const work = join(home, 'work');
  mkdirSync(work);
  try {
    client.setUp(home, services.url);
    mkdirSync(join(home, `.${client.agent}`), { recursive: true });
    const { PATH = '' } = process.env;
    const env = {
      ...client.env(home, services.url),
      HOME: home,
      PATH: [dirname(process.execPath), PATH].join(delimiter),
    };
    const keepsake = (...args: string[]) => {
      const ran = spawnSync(process.execPath, [LAUNCHER, ...args], { cwd: work, env, encoding: 'utf8' });
      if (ran.status !== 0)
        throw new Error(`keepsake ${args.join(' ')} ended with ${ran.status}: ${ran.stderr}`);
      return ran.stdout;
    };
    const project = join(home, '.claude', 'projects', work.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(project, { recursive: true });
    const steps = [{ you: RULE }, { agent: 'I use pnpm from now on.' }];
    const text = workSession('first001', steps, '2026-01-05').replaceAll('/srv/shop', work);
    writeFileSync(join(project, 'first001.jsonl'), text);
    keepsake('sync');
    keepsake('install', '--agent', client.agent, '--yes', '--no-sync');
    await spawn(path, [...client.ask(PROMPT, false), ...(client.trustsHooks ?? [])], { cwd: work, env });
    const isHeard = services.asked.some((body) => body.includes('always install with pnpm'));
    keepsake('sync');
    const found = JSON.parse(
      keepsake('search', 'package manager', '--agent', client.agent, '--role', 'user', '--json'),
    );
    const again = JSON.parse(keepsake('search', 'pnpm', '--agent', client.agent, '--json'));
    const texts = (hits: { items: { snippet: string; role: string }[] }) =>
      hits.items.map(({ snippet }) => snippet);
    keepsake('uninstall', '--agent', client.agent, '--yes');
    return { agent: client.agent, version, isHeard, yours: texts(found), left: texts(again) };
  } finally {
    await services.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
