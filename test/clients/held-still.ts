import { readdirSync, readFileSync } from 'node:fs';

/** Processes that were started with this home, but for the terminal that they run in: it writes nothing there. */
export function processesOf(home: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOwn = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
        return isOwn && !readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('tmux');
      } catch {
        // Gone meanwhile, or another user's.
        return false;
      }
    })
    .map(Number);
}

/**
 * Stops a running client where it is, with its files open and its locks held, so that whatever changes meanwhile was changed
 * by `work`. How many processes were stopped is told to it.
 */
export async function heldStill<T>(home: string, work: (stopped: number) => Promise<T>): Promise<T> {
  const stopped = new Set<number>();
  // One that is stopped starts no further one: the second look finds what the first was too early for.
  for (let found = processesOf(home); found.some((pid) => !stopped.has(pid)); found = processesOf(home))
    for (const pid of found) if (signalTo(pid, 'SIGSTOP')) stopped.add(pid);
  try {
    return await work(stopped.size);
  } finally {
    for (const pid of stopped) signalTo(pid, 'SIGCONT');
  }
}

/** False where there is no such process any more. */
export function signalTo(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
