import { processesOf, signalTo } from './held-still.ts';

/** A client may leave a process of its own behind: those that were started with this home are ended. */
export function endDaemons(home: string): void {
  for (const pid of processesOf(home)) signalTo(pid, 'SIGTERM');
}
