import { fstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { takeUpWork } from './adapters/detached/detached-process.ts';
import { readToEnd } from './adapters/machine/read-stdin.ts';
import { type Flags, openProgram, rankingFlags } from './compiled-chunks.ts';
import { isKernelPlace } from './config/archive-place.ts';
import { compiledPlace } from './config/compiled-place.ts';
import { detachedEnvironment } from './config/detached-environment.ts';
import { type Environment, readEnvironment } from './config/environment.ts';
import { hooksAreOff, startedFolder } from './config/hook-guard.ts';
import { countEvent } from './hook-count.ts';
import { statIfThere } from './hook-input-parts.ts';
import { leaveEnd } from './hook-leave.ts';
import { isEventKeptOut, isOwnCommand } from './hook-record.ts';

type HookRoot = typeof import('./hook-main.ts');
/** Names that the build puts here. */
declare const MAIN_FILE: string;
declare const STORE_FILE: string;

// The entry of every hook. Whatever happens, the agent continues: nothing here ends with anything but 0.
const LONGEST_MS = 25_000;
const EVENT = /"hook_event_name"\s*:\s*"(\w{1,30})"/;
const PROGRAM = [join(import.meta.dirname, 'hook.cjs'), '--detached'];
const ignore = () => {
  process.exitCode = 0;
};
process.on('uncaughtException', ignore);
process.on('unhandledRejection', ignore);
try {
  start();
} catch {
  ignore();
}

function start(): void {
  if (!isNewEnough(process.versions.node) || hooksAreOff()) return;
  const environment = readEnvironment();
  if (isKernelPlace(environment.archive)) return;
  if (process.argv[2] === '--detached') workOff(environment);
  else answer(environment, readStdin());
}

function answer(environment: Environment, text: string): void {
  if (!text.includes('"hook_event_name"')) return;
  // Before the first byte is written, even before there is an archive.
  const started = startedFolder();
  const keptOut = isEventKeptOut(text, environment.archive, started);
  if (keptOut && !isOwnCommand(text)) return;
  if (!isUsable(environment.archive)) return;
  // Nobody else may read the archive.
  process.umask(0o077);
  // The agent gives up on a hook, too; nothing may be left behind then.
  setTimeout(() => process.exit(0), LONGEST_MS).unref();
  if (!keptOut && countEvent(text, environment.archive)) return;
  const program = { args: PROGRAM, env: () => detachedEnvironment(environment) };
  if (!keptOut && leaveEnd(text, environment.archive, started)) takeUpWork(environment.archive, program);
  else {
    const event = EVENT.exec(text)?.[1] ?? 'event';
    load(environment, event, ({ main }, flags) => {
      const hurry = () => flags.set(rankingFlags(environment.archive));
      return main(text, environment, { keptOut, started, program, hurry });
    });
  }
}

/** The process that nobody waits for. */
function workOff(environment: Environment): void {
  process.umask(0o077);
  load(environment, 'detached', ({ workThrough }) => workThrough(environment));
}

type Work = (root: HookRoot, flags: Flags) => Promise<void>;

/** What else is loaded, with what was compiled for the same event before. */
function load({ archive }: Environment, role: string, work: Work): void {
  const built = { dist: import.meta.dirname, main: MAIN_FILE, store: STORE_FILE };
  const { root, keep, flags } = openProgram<HookRoot>(built, `hook-${role}`, compiledPlace(archive));
  work(root, flags).then(keep).catch(ignore);
}

/** A hook makes the archive only where its parent is: to make more is for commands, and on some file systems never ends. */
function isUsable(archive: string): boolean {
  const found = statIfThere(archive);
  if (!found) mkdirSync(archive, { mode: 0o700 });
  return !found || found.isDirectory();
}

/** As bin/keepsake has it: the SQLite of older ones can lose what was written. */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  return major === 24 ? minor >= 15 : major >= 26;
}

/** Never waits for a person. */
function readStdin(): string {
  try {
    return fstatSync(0).isCharacterDevice() ? '' : readToEnd(0);
  } catch {
    return '';
  }
}
