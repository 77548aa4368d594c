import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dueWork, queueFolder } from './work-queue.ts';

/** The process ends by then, wherever it is. */
export const LONGEST_MS = 60_000;
/** A mark is older than its process can be: its number belongs to another now. */
const STALE_MS = LONGEST_MS + 5000;
const EMPTY_MS = 2000;

/** The program that works through the queue, and what it runs in. */
export type DetachedProgram = { args: string[]; env: () => Record<string, string | undefined> };

/**
 * Starts the process that works through the queue where there is something in it, unless one runs. It has no window, no
 * terminal and nothing of ours to write to, so that nobody waits for it. Two that are started in one instant: the lock lets
 * one of them work.
 */
export function takeUpWork(archive: string, { args, env }: DetachedProgram): void {
  if (dueWork(archive).length === 0 || !claimMark(archive)) return;
  const { spawn } = process.getBuiltinModule('node:child_process');
  // Not the project's folder, which could not be removed meanwhile on Windows.
  const options = { cwd: archive, env: env(), detached: true, windowsHide: true, stdio: 'ignore' } as const;
  const child = spawn(process.execPath, args, options);
  // No process to be had: the next hook or command tries again.
  child.on('error', () => clearMark(archive, process.pid));
  child.unref();
  if (child.pid !== undefined) setMark(archive, child.pid);
}

/** Whether a process is at the queue, or about to be. */
export function isDetachedRunning(archive: string): boolean {
  const file = markFile(archive);
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const pid = readFileSync(file, 'utf8');
    // Made, and its number not written yet.
    return pid === '' ? age < EMPTY_MS : age < STALE_MS && isAlive(Number(pid));
  } catch {
    return false;
  }
}

/** The process notes it, too: its parent may have been killed before. */
export function setMark(archive: string, pid: number): void {
  const temp = `${markFile(archive)}.${process.pid}`;
  writeFileSync(temp, String(pid), { mode: 0o600 });
  renameSync(temp, markFile(archive));
}

/** Leaves the mark of another. */
export function clearMark(archive: string, pid: number): void {
  try {
    if (readFileSync(markFile(archive), 'utf8') === String(pid)) rmSync(markFile(archive), { force: true });
  } catch {
    // It is gone.
  }
}

/** Of several at once one gets it. */
function claimMark(archive: string): boolean {
  if (isDetachedRunning(archive)) return false;
  const file = markFile(archive);
  try {
    rmSync(file, { force: true });
    writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

function markFile(archive: string): string {
  return join(queueFolder(archive), '.running');
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    // No number of a process, or one of another user's, which is not ours either.
    return false;
  }
}
