import { readdirSync, readFileSync } from 'node:fs';

/** A client may leave a process of its own behind: those that were started with this home are ended. */
export function endDaemons(home: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`))
        process.kill(Number(pid));
    } catch {
      // Gone meanwhile, or another user's.
    }
  }
}
