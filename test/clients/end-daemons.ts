import { processesOf, signalTo } from './held-still.ts';

const LOOK_MS = 50;
/** Kills a process that does not end when asked: otherwise its files would keep changing. */
const LOOKS_BEFORE_KILL = 1200;

/** Ends the processes that a client left behind (started with this home), and returns when they are gone. */
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
