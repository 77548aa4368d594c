// Loaded first: later imports get the watched functions.

import { systemClock } from '../../src/adapters/clock/system-clock.ts';
import { drainQueue } from '../../src/adapters/detached/drain-queue.ts';
import { readWork } from '../../src/adapters/detached/read-work.ts';
import { addWork, waitingWork } from '../../src/adapters/detached/work-queue.ts';
import { writeLog } from '../../src/adapters/log/log-file.ts';
import { systemRandom } from '../../src/adapters/random/system-random.ts';
import type { World } from '../../src/app/world.ts';
import { hookSettings } from '../../src/config/hook-settings.ts';
import { run } from '../../src/entrypoints/cli/run.ts';
import { runHook } from '../../src/entrypoints/hooks/run-hook.ts';
import { runWork } from '../../src/entrypoints/hooks/run-work.ts';
import { countEvent } from '../../src/hook-count.ts';
import { leaveEnd } from '../../src/hook-leave.ts';
import { leaveUnread } from '../../src/hook-unread.ts';
import type { Detached } from '../../src/ports/detached.ts';
import { makeWorld } from '../made/world.ts';
import type { Life } from './life.ts';
import type { Program } from './scene.ts';
import { captureOutput } from './watched-files.ts';

type HookProgram = Exclude<Program, string[]>;
export type Ended = { status: number; printed: string };

let last: Promise<unknown> = Promise.resolve();

/** Runs a command or hook of the real program in this process, on the real disk, one at a time. */
export function runAct(life: Life, what: Program): Promise<Ended> {
  const ended = last.then(() => runNow(life, what));
  last = ended.catch(() => undefined);
  return ended;
}

async function runNow(life: Life, what: Program): Promise<Ended> {
  // Before output is captured: an archive that can't be opened must not keep the report from being printed.
  const world: World = { ...makeWorld(life.root), clock: systemClock, random: systemRandom };
  world.places.cwd = life.folder();
  let printed = '';
  captureOutput((text) => {
    printed += text;
  });
  const streams = [process.stdout, process.stderr].map((stream) => {
    const { write } = stream;
    stream.write = ((text: string | Uint8Array) => {
      printed += String(text);
      return true;
    }) as typeof write;
    return () => Object.assign(stream, { write });
  });
  try {
    return {
      status: Array.isArray(what) ? await command(life, what, world) : await hook(life, what, world),
      printed,
    };
  } finally {
    await world.index.close().catch(() => undefined);
    await world.archive.close().catch(() => undefined);
    captureOutput(undefined);
    for (const giveBack of streams) giveBack();
    process.exitCode = 0;
    for (const name of ['SIGINT', 'SIGTERM']) process.removeAllListeners(name);
    for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  }
}

async function command(life: Life, args: string[], world: World): Promise<number> {
  const environment = {
    home: life.root,
    cwd: life.folder(),
    editor: undefined,
    debug: false,
    color: false,
    columns: undefined,
    timeZone: () => 'UTC',
  };
  process.exitCode = 0;
  return run(args, {
    version: '0.0.0',
    environment,
    openWorld: async (report) => Object.assign(world, { report }),
    log: async (text) => {
      await writeLog(world.places.log, world.clock.now(), text);
      return world.places.log;
    },
    openInstaller: () => Promise.reject(new Error('no client here')),
    openAgentInstaller: () => Promise.reject(new Error('no agent here')),
    startAgent: () => Promise.reject(new Error('no agent here')),
    openHub: () => Promise.reject(new Error('no hub here')),
    openReplicas: () => Promise.reject(new Error('no hub here')),
    withoutArchive: () => Promise.reject(new Error('no hub here')),
    variable: () => undefined,
    site: '',
    stay: async () => undefined,
    runHook: async () => undefined,
    workOff: async () => undefined,
    leaveRemotes: async () => addWork(life.archive, 'remote', 'all', { event: '', started: life.folder() }),
    takeUpWork: async () => undefined,
  });
}

/** Work that hooks leave to a detached process is done here right after them. */
async function hook(
  life: Life,
  { hook: text, detached: isDetached }: HookProgram,
  world: World,
): Promise<number> {
  const { archive } = life;
  const input = { event: text, started: life.folder() };
  const openWorld = () => ({ ...world, isHook: true as const, settings: hookSettings(archive) });
  const detached: Detached = {
    add: (kind, key) => addWork(archive, kind, key, input),
    waiting: () => waitingWork(archive),
    read: (work) => readWork(archive, work),
    finish: async () => undefined,
  };
  if (!isDetached && countEvent(text, archive)) return 0;
  if (!isDetached) leaveUnread(text, archive, { started: input.started, isOther: false });
  if (!isDetached && !leaveEnd(text, archive, input.started))
    await runHook(text, { keptOut: false, openWorld, detached, failed: async () => undefined });
  await drainQueue(archive, {
    hold: (work) => work(),
    run: (work, from) =>
      runWork(work, from, {
        openWorld,
        openForRemotes: openWorld,
        openForAgents: async () => openWorld(),
        isKeptOut: () => false,
        detachedFor: () => detached,
      }),
    failed: async () => undefined,
    untilMs: Number.POSITIVE_INFINITY,
  });
  return 0;
}
