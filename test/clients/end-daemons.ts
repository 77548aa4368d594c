import { processesOf, signalTo } from './held-still.ts';

const LOOK_MS = 50;
/** One that does not end when it is asked to is killed: its files would never be still. */
const LOOKS_BEFORE_KILL = 1200;

/** A client may leave a process of its own behind: those that were started with this home are ended, and are gone when this returns. */
export async function endDaemons(home: string): Promise<void> {
  const asked = new Set<number>();
  for (let look = 0; ; look++) {
    const left = processesOf(home);
    if (left.length === 0) return;
    for (const pid of left) {
      if (look >= LOOKS_BEFORE_KILL) signalTo(pid, 'SIGKILL');
      else if (!asked.has(pid)) signalTo(pid, 'SIGTERM');
      asked.add(pid);
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}
