import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openLock } from './adapters/archive-fs/lock.ts';
import { openArchive } from './adapters/archive-fs/open-archive.ts';
import { systemClock } from './adapters/clock/system-clock.ts';
import {
  clearMark,
  type DetachedProgram,
  LONGEST_MS,
  setMark,
  takeUpWork,
} from './adapters/detached/detached-process.ts';
import { readWork } from './adapters/detached/read-work.ts';
import { addWork, queueFolder, waitingWork } from './adapters/detached/work-queue.ts';
import { gitFiles } from './adapters/git/git-files.ts';
import { openSearchIndex, scratchSearchIndex } from './adapters/index-sqlite/open-search-index.ts';
import { writeLog } from './adapters/log/log-file.ts';
import { thisMachine } from './adapters/machine/this-machine.ts';
import { projectFiles } from './adapters/project-files/project-files.ts';
import { systemRandom } from './adapters/random/system-random.ts';
import { sessionFiles } from './adapters/transcripts/session-files.ts';
import { openTranscripts } from './adapters/transcripts/transcripts.ts';
import type { World } from './app/world.ts';
import type { Environment } from './config/environment.ts';
import { hookSettings } from './config/hook-settings.ts';
import { VERSION } from './config/version.ts';
import type { QueuedWork, WorkInput } from './core/model/detached-work.ts';
import { HOOK_FOR } from './core/model/hook-for.ts';
import type { ProjectId } from './core/model/ids.ts';
import { logLineOf, runHook } from './entrypoints/hooks/run-hook.ts';
import { isEventKeptOut } from './hook-record.ts';
import { leaveUnread } from './hook-unread.ts';
import { lazyBundles, loadRemotes } from './load-remotes.ts';
import type { Archive } from './ports/archive.ts';
import type { Detached } from './ports/detached.ts';

/** What the entry found out before it loaded this. */
export type HookStart = {
  keptOut: boolean;
  /** The folder that the agent was started in, where it says so. */
  started: string;
  program: DetachedProgram;
  /** As in `World`. */
  hurry?: () => void;
};

/** Of detached work nobody waits for the end: it can wait for others. */
const LOCK_WAIT_MS = 10_000;
const AGENTS_LOCK_WAIT_MS = 2000;
/** Of the whole: what is begun later might not end in time. */
const BEGIN_MS = LONGEST_MS / 2;

/** The composition root of the hooks. */
export async function main(text: string, environment: Environment, start: HookStart): Promise<void> {
  const { archive } = environment;
  const [, , asked = ''] = process.argv;
  const other = asked.startsWith(HOOK_FOR) ? asked.slice(HOOK_FOR.length) : undefined;
  if (!start.keptOut) leaveUnread(text, archive, { started: start.started, isOther: other !== undefined });
  const answer = await runHook(text, {
    openWorld: (cwd) => ({
      ...openWorld(environment, cwd, { lockWaitMs: 0 }),
      ...(start.hurry && { hurry: start.hurry }),
    }),
    keptOut: start.keptOut,
    other,
    detached: detachedFor(environment, { event: text, started: start.started }),
    failed: (line, error) => failed(environment, line, error),
  });
  if (answer !== '') writeSync(1, `${answer}\n`);
  if (!start.keptOut) takeUpWork(archive, start.program);
}

/** The composition root of detached work: the one process that works through the queue. */
export async function workThrough(environment: Environment): Promise<void> {
  const [{ endAfter }, { drainQueue }] = await Promise.all([
    import('./adapters/detached/end-after.ts'),
    import('./adapters/detached/drain-queue.ts'),
  ]);
  endAfter(LONGEST_MS);
  const { archive } = environment;
  await drainQueue(archive, {
    ...drainOf(environment),
    untilMs: performance.now() + BEGIN_MS,
    begun: () => setMark(archive, process.pid),
    ended: () => clearMark(archive, process.pid),
  });
  clearMark(archive, process.pid);
}

function drainOf(environment: Environment) {
  const lock = openLock(join(queueFolder(environment.archive), '.lock.sqlite'), 0);
  return {
    hold: lock.hold,
    run: async (work: QueuedWork, input: WorkInput) => {
      const { runWork } = await import('./entrypoints/hooks/run-work.ts');
      await runWork(work, input, {
        openWorld: (cwd) => openWorld(environment, cwd, { lockWaitMs: LOCK_WAIT_MS }),
        openForRemotes: (cwd) => openForRemotes(environment, cwd),
        openForAgents: (cwd) => openForAgents(environment, cwd),
        isKeptOut: ({ event, started }) => isEventKeptOut(event, environment.archive, started),
        detachedFor: (from) => detachedFor(environment, from),
      });
    },
    failed: (error: unknown) => failed(environment, logLineOf(error), error),
  };
}

function detachedFor(environment: Environment, input: WorkInput): Detached {
  const { archive } = environment;
  return {
    add: (kind, key) => addWork(archive, kind, key, input),
    waiting: () => waitingWork(archive),
    read: (work) => readWork(archive, work),
    async finish(isWanted, longestMs) {
      const { finishWork } = await import('./adapters/detached/finish-work.ts');
      const untilMs = performance.now() + longestMs;
      await finishWork(archive, { ...drainOf(environment), isWanted, untilMs });
    },
  };
}

async function failed(environment: Environment, line: string, error: unknown): Promise<void> {
  if (environment.debug) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  if (line !== '') await writeLog(logFile(environment), systemClock.now(), line);
}

function logFile(environment: Environment): string {
  return join(environment.archive, 'logs', 'keepsake.log');
}

/** As in main.ts, but a wrong setting does not end the work, and in a hook nobody waits for a lock. */
function openWorld(environment: Environment, cwd: string, { lockWaitMs }: { lockWaitMs: number }): World {
  const { archive: root, claude, home } = environment;
  const log = logFile(environment);
  // Nobody reads what a hook would print.
  const note = (text: string) => void writeLog(log, systemClock.now(), `hook: ${text}`);
  const archive = rememberHeads(openArchive(root, { now: systemClock.now, lockWaitMs }));
  return {
    archive,
    transcripts: openTranscripts(root),
    sessionFiles,
    clock: systemClock,
    random: systemRandom,
    git: gitFiles,
    projectFiles,
    settings: hookSettings(root),
    index: openSearchIndex(join(root, 'index.sqlite'), { waitMs: lockWaitMs }),
    scratchIndex: scratchSearchIndex,
    machine: thisMachine(VERSION),
    isHook: true,
    places: {
      archive: root,
      claude,
      claudeProjects: [join(claude, 'projects')],
      cwd: cwd || environment.cwd,
      home,
      sample: '',
      log,
    },
    report: note,
    log: note,
  };
}

/** For detached work alone: nobody waits for it, so that it may wait for a network. */
function openForRemotes(environment: Environment, cwd: string): World {
  const { isHook: _, ...world } = openWorld(environment, cwd, { lockWaitMs: LOCK_WAIT_MS });
  return {
    ...world,
    bundles: lazyBundles(join(environment.archive, 'cache', 'import')),
    remotes: () => loadRemotes(environment),
  };
}

/** With the sessions of all agents; a start that waits for it has less time than detached work. */
async function openForAgents(environment: Environment, cwd: string): Promise<World> {
  const { otherAgents } = await import('./load-agents.ts');
  const { agents, places } = otherAgents(environment);
  const { isHook: _, ...world } = openWorld(environment, cwd, { lockWaitMs: AGENTS_LOCK_WAIT_MS });
  return { ...world, places: { ...world.places, agents: places }, agents };
}

/** A hook asks several times who a project is, and each time would read and check the record again. */
function rememberHeads(archive: Archive): Archive {
  const heads = new Map<ProjectId, ReturnType<Archive['head']>>();
  return {
    ...archive,
    head(project) {
      const head = heads.get(project) ?? archive.head(project);
      heads.set(project, head);
      return head;
    },
    change(project, ...rest) {
      heads.delete(project);
      return archive.change(project, ...rest);
    },
    changeFrom(project, ...rest) {
      heads.delete(project);
      return archive.changeFrom(project, ...rest);
    },
  };
}
