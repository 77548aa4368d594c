import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { settled } from '../e2e/settled.ts';
import type { Client } from './clients.ts';
import { endDaemons } from './end-daemons.ts';
import { FakeModels } from './fake-models.ts';
import { changedBetween, hashes } from './file-hashes.ts';
import { spawn } from './spawn-client.ts';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'keepsake');
/** A rule for one agent, and a question for the next. */
const TO_CLAUDE = 'From now on always install with pnpm, never npm, in this project.';
const TO_OTHER = 'From now on always run the tests with vitest before you commit.';
const QUESTION = 'ask which tools we use here';
/** Keeps a client busy for at most this many seconds until its servers are connected. */
const BUSY = { prompt: ' and RUN:sleep 1:END', runs: 120 };
/** A start waits only this long: on a busy machine the rest is read in the background, and a client gives up on a hook. */
const STARTS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** At which of its starts an agent got the rule told to the other one, without a sync in between. */
type Heard = (typeof STARTS)[number] | 'NO';

type HookTrial = {
  agent: string;
  version: string;
  /** The rule told to Claude Code, in the other agent's first request. */
  heardOfClaude: Heard;
  /** The opposite direction. */
  heardByClaude: Heard;
  /** In its own next session. */
  heardItself: Heard;
  /** What counts as the user's text in the session that got a rule. */
  yours: string[];
  /** Words of the rule that were read as part of that session. */
  left: string[];
  /** Files that differ after `install` and `uninstall`. */
  changed: string[];
};

/** Runs `keepsake install` for two real clients; a rule told to one reaches the other at its next start. */
export async function tryHooks(
  client: Client,
  brought: { path: string; version: string },
  claude: string,
): Promise<HookTrial> {
  const services = await FakeModels.start();
  const home = mkdtempSync(join(tmpdir(), `keepsake-hooks-${client.agent}-`));
  const work = join(home, 'work');
  mkdirSync(work);
  try {
    const env = {
      ...client.env(home, services.url),
      HOME: home,
      PATH: [dirname(process.execPath), dirname(claude), process.env.PATH ?? ''].join(delimiter),
      ANTHROPIC_BASE_URL: services.url,
      ANTHROPIC_API_KEY: 'sk-ant-fake-dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    client.setUp(home, services.url);
    for (const folder of client.folders ?? [`.${client.agent}`])
      mkdirSync(join(home, folder), { recursive: true });
    const keepsake = (...args: string[]) => {
      const ran = spawnSync(process.execPath, [LAUNCHER, ...args], { cwd: work, env, encoding: 'utf8' });
      if (ran.status !== 0)
        throw new Error(`keepsake ${args.join(' ')} ended with ${ran.status}: ${ran.stderr}`);
      return ran.stdout;
    };
    const run = (args: string[]) => spawn(brought.path, args, { cwd: work, env });
    /** Whether the model was sent these words for a prompt. */
    const hears = async (words: string, ask: () => Promise<void>): Promise<Heard> => {
      for (const start of STARTS) {
        const before = services.asked.length;
        services.awaited = { words, runs: BUSY.runs };
        await ask();
        if (services.asked.slice(before).some((body) => body.includes(words))) return start;
        await settled(join(home, '.claude-memory'));
      }
      return 'NO';
    };
    const other = (prompt: string) => () =>
      run([...client.ask(prompt, false), ...(client.trustsHooks ?? [])]);
    const toClaude = (prompt: string) => () => spawn(claude, ['-p', prompt], { cwd: work, env });
    const question = client.connectsLate ? QUESTION + BUSY.prompt : QUESTION;
    if (client.prepare) await run(client.prepare(services.url));
    const both = ['--agent', 'claude-code', '--agent', client.agent, '--yes'];
    const untouched = hashes(home);
    keepsake('install', '--agent', client.agent, '--yes', '--no-sync');
    keepsake('uninstall', '--agent', client.agent, '--yes');
    const changed = changedBetween(untouched, hashes(home)).filter((it) => !/^\.claude-memory\b/.test(it));
    keepsake('install', ...both, '--no-sync');
    await toClaude(TO_CLAUDE)();
    const heardOfClaude = await hears('always install with pnpm', other(question));
    await other(TO_OTHER)();
    const heardByClaude = await hears('always run the tests with vitest', toClaude(QUESTION));
    const heardItself = await hears('always run the tests with vitest', other(question));
    keepsake('sync');
    const found = (...words: string[]): string[] =>
      JSON.parse(keepsake('search', ...words, '--agent', client.agent, '--json')).items.map(
        ({ snippet }: { snippet: string }) => snippet,
      );
    const yours = found('which tools we use here', '--role', 'user');
    return {
      agent: client.agent,
      version: brought.version,
      heardOfClaude,
      heardByClaude,
      heardItself,
      yours,
      left: found('pnpm'),
      changed,
    };
  } finally {
    await services.stop();
    await endDaemons(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
