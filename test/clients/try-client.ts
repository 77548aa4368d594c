import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { readL1 } from '../../src/app/find/read-l1.ts';
import { originalName } from '../../src/app/find/session-ref.ts';
import { allSessions, type SessionRow } from '../../src/app/find/sessions.ts';
import { agentsFound } from '../../src/app/maintenance/agents-found.ts';
import { sync } from '../../src/app/sync/sync.ts';
import type { World } from '../../src/app/world.ts';
import { agentPlaces } from '../../src/config/agent-places.ts';
import type { L1Line } from '../../src/core/model/l1.ts';
import { makeWorld } from '../made/world.ts';
import type { Client } from './clients.ts';
import { endDaemons } from './end-daemons.ts';
import { FakeModels } from './fake-models.ts';
import { changedBetween, hashes } from './file-hashes.ts';
import { heldStill } from './held-still.ts';
import { hasTmux, inTerminal } from './in-terminal.ts';
import { readSpeed } from './read-speed.ts';
import { spawn } from './spawn-client.ts';

/** What a client did, and what Keepsake read of it. */
export type Trial = {
  agent: string;
  version: string;
  sessions: number;
  wantedSessions: number;
  /** Number of prompts, answers and calls, and how many of them were read exactly once. */
  said: number;
  calls: number;
  readOnce: number;
  missed: string[];
  /** CPU milliseconds per MB that it wrote. */
  millisOfMb: number;
  /** Files of the client that reading changed, added or deleted: after it ended, and while it was stopped in the middle of its work. */
  changed: string[];
};

/** The resumed session comes last: Gemini CLI deletes a resumed session at its next start. */
const PROMPTS = [
  ['ask three, only this', false],
  ['ask one and RUN:echo hello:END', false],
  ['ask two and RUN:exit 3:END', true],
] as const;

/** Installs a client from npm into a cache outside the repository; returns a sentence if that fails. */
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
      return `${npm}@${version} cannot be installed from npm: ${ran.stderr.trim().split('\n')[0] ?? ''}`;
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(temp, folder);
  }
  const own = JSON.parse(readFileSync(join(folder, 'node_modules', npm, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { path, version: own.version };
}

/** Runs two sessions of the real client, one of them resumed, with calls and a failure, then reads them. */
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
    if (client.prepare) await run(client.prepare(services.url));
    let whileRunning: string[] | undefined;
    for (const [prompt, goOn] of PROMPTS) {
      if (goOn && client.byMinute) await nextMinute();
      if (goOn)
        services.meanwhile = async () => {
          whileRunning = await readRunning(client.agent, home);
        };
      if (goOn && client.inTerminal && hasTmux())
        await inTerminal([path, ...client.inTerminal(home)], {
          prompt,
          cwd: work,
          env,
          isAsked: () => services.asked.some((body) => body.includes(JSON.stringify(prompt).slice(1, -1))),
          isDone: () => isWritten(home, answerTo(services, prompt)),
        });
      else await run(client.ask(prompt, goOn));
    }
    await services.done;
    // A client may leave a process that still writes.
    await endDaemons(home);
    const trial = await readBack(client, { version, home, told: services.told });
    const running = whileRunning?.map((name) => `${name} (running)`) ?? ['not read while it was running'];
    return { ...trial, changed: [...trial.changed, ...running] };
  } finally {
    await services.stop();
    await endDaemons(home);
    rmSync(home, { recursive: true, force: true });
  }
}

function answerTo({ told }: FakeModels, prompt: string): string | undefined {
  for (const it of told) if (it.prompt === prompt && 'answer' in it) return it.answer;
  return undefined;
}

/** Whether a file below this folder contains these words. */
function isWritten(folder: string, words: string | undefined): boolean {
  if (words === undefined) return false;
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.json/.test(entry.name))
      .some(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').includes(words));
  } catch {
    // The file was deleted meanwhile; the next look reads the current files.
    return false;
  }
}

/** Reads everything while the client waits for its model; returns the client's files (and logs) that changed. */
async function readRunning(agent: string, home: string): Promise<string[]> {
  const world = makeWorld();
  try {
    world.places.agents = agentPlaces({ home, cwd: home }, { HOME: home });
    return await heldStill(home, async (stopped) => {
      if (stopped === 0) return ['the client was not running during the read'];
      const before = hashes(home);
      await sync(world);
      const found = (await allSessions(world)).filter((row) => row.metadata.agent === agent);
      if (found.length === 0) return ['nothing was read while the client was running'];
      return changedBetween(before, hashes(home));
    });
  } finally {
    await world.remove();
  }
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
    // Long after the last change, so that nothing is held back.
    const later = Date.now() + 3_600_000;
    world.clock = { ...world.clock, millis: () => later };
    const before = hashes(home);
    await sync(world);
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
    const prompts: ReadonlySet<string> = new Set(PROMPTS.map(([prompt]) => prompt));
    for (const { role, text } of lines)
      if (role === 'user' && !prompts.has(plain(text))) missed.push(`nobody typed: ${text?.slice(0, 100)}`);
    const work = realpathSync(join(home, 'work'));
    for (const { folder } of rows)
      if (folder !== work) missed.push(`a session in ${folder} instead of ${work}`);
    for (const { metadata } of rows)
      for (const [kind, count] of Object.entries(metadata.lines.unknown))
        missed.push(`${kind}: not understood, ${count} times`);
    const waiting = (await agentsFound(world, 0)).find((it) => it.agent === agent)?.notRead;
    if (waiting !== 0) missed.push(`${waiting} files count as not read`);
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
      millisOfMb: readSpeed(agent, linesOf(world, rows)),
      changed: changedBetween(before, after),
    };
  } finally {
    await world.remove();
  }
}

/** The sessions as archived. */
function linesOf(world: World, rows: SessionRow[]): Buffer[] {
  return rows.flatMap((row) => {
    const path = world.archive.originals.path(row.projectId, originalName(row.sessionId));
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Buffer.from(line));
  });
}

/** A command may quote its argument. */
function plain(text = ''): string {
  return text.trim().replace(/^"([\s\S]*)"$/, '$1');
}
