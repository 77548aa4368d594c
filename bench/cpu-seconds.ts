import { readdirSync, readFileSync } from 'node:fs';

const TICKS = 100;

/** Of a process and its children, those that ended too. */
export function cpuSeconds(pid: number): number {
  const rest = (of: string) => readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]!.split(' ');
  let ticks = 0;
  for (const of of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const fields = rest(of);
      if (Number(of) === pid) ticks += fields.slice(11, 15).reduce((sum, it) => sum + Number(it), 0);
      else if (Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended meanwhile.
    }
  return ticks / TICKS;
}
