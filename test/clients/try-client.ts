import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { readL1 } from '../../src/app/find/read-l1.ts';
import { allSessions } from '../../src/app/find/sessions.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { agentPlaces } from '../../src/config/agent-places.ts';
import type { L1Line } from '../../src/core/model/l1.ts';
import { makeWorld } from '../made/world.ts';
import type { Client } from './clients.ts';
import { FakeModels } from './fake-models.ts';
import { hasTmux, inTerminal } from './in-terminal.ts';

/** What a client did and what Keepsake read of it. */
export type Trial = {
  agent: string;
  version: string;
  sessions: number;
  wantedSessions: number;
  /** Of what was asked, answered and run: how much there was, and how much was read exactly once. */
  said: number;
  calls: number;
  readOnce: number;
  missed: string[];
  bytes: number;
  millis: number;
  /** Files of the client that reading changed, added or took away: after its end, and while it waited for an answer. */
  changed: string[];
};

/** The resumed one is last: Gemini CLI deletes a session that was resumed when it starts the next time. */
const PROMPTS = [
  ['ask three, only this', false],
  ['ask one and RUN:echo hello:END', false],
  ['ask two and RUN:exit 3:END', true],
] as const;

/** Brings a client from npm into a cache outside the repository; a sentence where it can't be had. */
export function bringClient({
  npm,
  version,
  command,
  scripts,
}: Client): { path: string; version: string } | string {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'keepsake-test');
  const folder = join(cache, `${npm.replace(/\W+/g, '-')}-${version}`);
  const path = join(folder, 'node_modules', '.bin', command);
  if (!existsSync(path)) {
    const temp = join(cache, `.bringing-${process.pid}`);
    rmSync(temp, { recursive: true, force: true });
    mkdirSync(temp, { recursive: true });
    const options = [
      '--no-audit',
      '--no-fund',
      '--no-save',
      '--force',
      ...(scripts ? [] : ['--ignore-scripts']),
    ];
    const ran = spawnSync('npm', ['install', '--prefix', temp, ...options, `${npm}@${version}`], {
      cwd: temp,
      encoding: 'utf8',
    });
    if (ran.status !== 0) {
      rmSync(temp, { recursive: true, force: true });
      return `${npm}@${version} can't be had from npm here: ${ran.stderr.trim().split('\n')[0] ?? ''}`;
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(temp, folder);
  }
  const own = JSON.parse(readFileSync(join(folder, 'node_modules', npm, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { path, version: own.version };
}

/** Two sessions of the real client, one of them resumed, with calls and a failure; then all of it is read. */
export async function tryClient(
  client: Client,
  { path, version }: { path: string; version: string },
): Promise<Trial> {
  const services = await FakeModels.start();
  const home = mkdtempSync(join(tmpdir(), `keepsake-client-${client.agent}-`));
  const work = join(home, 'work');
  mkdirSync(work);
  try {
    client.setUp(home, services.url);
    const { PATH = '' } = process.env;
    const env = {
      ...client.env(home, services.url),
      HOME: home,
      PATH: [dirname(process.execPath), PATH].join(delimiter),
    };
    const run = (args: string[]) => spawn(path, args, { cwd: work, env });
    if (client.agent === 'cline')
      await run([
        'auth',
        'openai-compatible',
        '--apikey',
        'x',
        '--baseurl',
        `${services.url}/v1`,
        '--modelid',
        'fake-model',
      ]);
    let whileRunning: string[] = [];
    for (const [prompt, goOn] of PROMPTS) {
      if (goOn && client.byMinute) await nextMinute();
      if (goOn)
        services.meanwhile = async () => {
          whileRunning = await readRunning(home);
        };
      if (goOn && client.inTerminal && hasTmux())
        await inTerminal([path, ...client.inTerminal(home)], {
          prompt,
          cwd: work,
          env,
          isDone: () => answered(services, prompt),
        });
      else await run(client.ask(prompt, goOn));
    }
    // A client may leave a process behind that still writes.
    endDaemons(home);
    await new Promise((done) => setTimeout(done, 1000));
    const trial = await readBack(client, { version, home, told: services.told });
    return { ...trial, changed: [...trial.changed, ...whileRunning.map((name) => `${name} (running)`)] };
  } finally {
    await services.stop();
    endDaemons(home);
    rmSync(home, { recursive: true, force: true });
  }
}

function answered({ told }: FakeModels, prompt: string): boolean {
  return told.some((it) => it.prompt === prompt && 'answer' in it);
}

/** Reads all there is while the client waits for its model; which of its session files that changed. */
async function readRunning(home: string): Promise<string[]> {
  const world = makeWorld();
  try {
    world.places.agents = agentPlaces({ home, cwd: home }, { HOME: home });
    // What the client still writes by itself is over by then.
    await new Promise((done) => setTimeout(done, 1500));
    const before = hashes(home);
    await sync(world);
    return changedBetween(before, hashes(home));
  } finally {
    await world.remove();
  }
}

function changedBetween(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((it) => before.get(it) !== after.get(it));
}

export async function spawn(
  path: string,
  args: string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<void> {
  const { spawn: start } = await import('node:child_process');
  const child = start(path, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (some: Buffer) => (said += some.toString()));
  const status = await new Promise((done) => child.on('exit', done));
  if (status !== 0) throw new Error(`${path} ${args.join(' ')} ended with ${status}: ${said.slice(-2000)}`);
}

async function nextMinute(): Promise<void> {
  await new Promise((done) => setTimeout(done, 61_000 - (Date.now() % 60_000)));
}

type Run = { version: string; home: string; told: FakeModels['told'] };

async function readBack(
  { agent, inTerminal: terminal }: Client,
  { version, home, told }: Run,
): Promise<Trial> {
  const world = makeWorld();
  try {
    world.places.agents = agentPlaces({ home, cwd: home }, { HOME: home });
    // Long after the last change: nothing is held back.
    const later = Date.now() + 3_600_000;
    world.clock = { ...world.clock, millis: () => later };
    const before = hashes(home);
    const started = performance.now();
    await sync(world);
    const millis = performance.now() - started;
    const after = hashes(home);
    const rows = (await allSessions(world)).filter((row) => row.metadata.agent === agent);
    const lines: L1Line[] = [];
    for (const row of rows) lines.push(...(await readL1(world, row)));
    const wanted = [
      ...PROMPTS.map(([prompt]) => ['user', prompt]),
      ...told.flatMap((it) => ('answer' in it ? [['assistant', it.answer]] : [['Bash', it.command]])),
    ];
    const times = ([role, text]: string[]) =>
      lines.filter((line) =>
        line.role === 'tool'
          ? line.name === role && line.target === text
          : line.role === role && plain(line.text) === text,
      ).length;
    const missed = wanted
      .filter((it) => times(it) !== 1)
      .map((it) => `${it.join(': ')} (${times(it)} times)`);
    const failed = lines.filter((line) => line.role === 'tool' && line.result !== undefined).length;
    if (failed !== 1) missed.push(`${failed} failures instead of 1`);
    return {
      agent,
      version,
      sessions: rows.length,
      wantedSessions: terminal && !hasTmux() ? PROMPTS.length : 2,
      said: wanted.filter(([role]) => role !== 'Bash').length,
      calls: wanted.filter(([role]) => role === 'Bash').length,
      readOnce: wanted.filter((it) => times(it) === 1).length,
      missed,
      bytes: rows.reduce((sum, row) => sum + row.originalBytes, 0),
      millis,
      changed: changedBetween(before, after),
    };
  } finally {
    await world.remove();
  }
}

/** A command may put what it was given into quotation marks. */
function plain(text = ''): string {
  return text.trim().replace(/^"([\s\S]*)"$/, '$1');
}

function hashes(folder: string, below = '', found = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const place = join(below, entry.name);
    if (entry.isDirectory()) hashes(folder, place, found);
    else if (entry.isFile() && !/\.log$/.test(entry.name))
      found.set(
        place,
        createHash('sha256')
          .update(readFileSync(join(folder, place)))
          .digest('hex'),
      );
  }
  return found;
}

/** A client may leave a process of its own behind: those that were started with this home are ended. */
function endDaemons(home: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`))
        process.kill(Number(pid));
    } catch {
      // Gone meanwhile, or another user's.
    }
  }
}
