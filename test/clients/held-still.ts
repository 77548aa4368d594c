import { readdirSync, readFileSync } from 'node:fs';

/** Processes started with this home, without the terminal that they run in, which writes nothing there. */
export function processesOf(home: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOwn = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
        return isOwn && !readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('tmux');
      } catch {
        // The process ended meanwhile, or belongs to another user.
        return false;
      }
    })
    .map(Number);
}

/**
 * Stops a running client where it is, with its files open and its locks held, so that only `work` can change
 * something meanwhile. `work` gets the number of stopped processes.
 */
export async function heldStill<T>(home: string, work: (stopped: number) => Promise<T>): Promise<T> {
  const stopped = new Set<number>();
  // A stopped process starts no other, so a second look finds those that the first one missed.
  for (let found = processesOf(home); found.some((pid) => !stopped.has(pid)); found = processesOf(home))
    for (const pid of found) if (signalTo(pid, 'SIGSTOP')) stopped.add(pid);
  try {
    return await work(stopped.size);
  } finally {
    for (const pid of stopped) signalTo(pid, 'SIGCONT');
  }
}

/** False if the process no longer exists. */
export function signalTo(pid: number, name: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
