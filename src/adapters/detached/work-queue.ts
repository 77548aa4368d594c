import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  inQueueOrder,
  isWorkDue,
  type QueuedWork,
  type WorkInput,
  type WorkKind,
  workFileName,
  workOfFile,
} from '../../core/model/detached-work.ts';

/** A file for each entry: adding one needs no lock, and no process can lose what another added. */
export function queueFolder(archive: string): string {
  return join(archive, 'cache', 'detached');
}

let last = 0;

/** An entry is there as a whole or not at all, whenever the process is ended. */
export function addWork(archive: string, kind: WorkKind, key: string, input: WorkInput): void {
  const folder = queueFolder(archive);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Two in one millisecond keep their order.
  last = Math.max(Date.now(), last + 1);
  const name = workFileName({ kind, key, added: last, by: process.pid.toString(36), tries: 0 });
  const temp = join(folder, `.${name}`);
  writeFileSync(temp, JSON.stringify(input), { mode: 0o600 });
  renameSync(temp, join(folder, name));
}

/** What is in the queue, in order. */
export function waitingWork(archive: string): QueuedWork[] {
  let names: string[];
  try {
    names = readdirSync(queueFolder(archive));
  } catch {
    // None was ever added.
    return [];
  }
  return names.flatMap((name) => workOfFile(name) ?? []).sort(inQueueOrder);
}

/** What is in the queue and may be begun now. */
export function dueWork(archive: string): QueuedWork[] {
  return waitingWork(archive).filter((work) => {
    if (work.tries === 0) return true;
    const found = statSync(workFile(archive, work), { throwIfNoEntry: false });
    return found !== undefined && isWorkDue(work, found.mtimeMs, Date.now());
  });
}

/** Noted before it is begun: a process that is ended can't count. */
export function beginWork(archive: string, work: QueuedWork): QueuedWork {
  const begun = { ...work, tries: Math.min(work.tries + 1, 9999) };
  renameSync(workFile(archive, work), workFile(archive, begun));
  const now = new Date();
  utimesSync(workFile(archive, begun), now, now);
  return begun;
}

/** What was added meanwhile is another entry, and stays. */
export function removeWork(archive: string, works: readonly QueuedWork[]): void {
  for (const work of works) rmSync(workFile(archive, work), { force: true });
}

export function workFile(archive: string, work: QueuedWork): string {
  return join(queueFolder(archive), workFileName(work));
}
