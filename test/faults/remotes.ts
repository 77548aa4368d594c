import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { playHistory } from '../made/remote-history.ts';

type Totals = { next: number; played: number; counts: Record<string, number>; wrong: string[] };

/**
 * Simulates random histories of several machines around one store: [HISTORIES] [SEED] [STATE-FILE] [--trace] [--steps=N] [--narrow]
 * [--wide=N]. With a state file, a stopped run continues. Every history that ends wrongly is printed with its seed, and the exit
 * status is 1. The same seed gives the same history; `--trace` prints its steps. `--narrow`: no light machines and no purges of
 * whole sessions; `--wide=N`: the same for all but the first N.
 */
export async function runRemotes(all: string[]): Promise<boolean> {
  const options = all.filter((it) => it.startsWith('--'));
  const args = all.filter((it) => !it.startsWith('--'));
  const [histories, first] = [Number(args[0] ?? 5000), Number(args[1] ?? 1)];
  const [, , file] = args;
  const numbered = (name: string, usual: number) =>
    Number(/=(\d+)$/.exec(options.find((it) => it.startsWith(name)) ?? '')?.[1] ?? usual);
  const steps = numbered('--steps=', 14);
  const wide = options.includes('--narrow') ? 0 : numbered('--wide=', histories);
  const trace = options.includes('--trace') ? console.log : undefined;
  const none: Totals = { next: first, played: 0, counts: {}, wrong: [] };
  const totals: Totals =
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : none;
  while (totals.next < first + histories) {
    const seed = totals.next;
    try {
      const played = await playHistory(seed, { steps, trace, isWide: seed < first + wide });
      for (const [what, times] of played.counts) totals.counts[what] = (totals.counts[what] ?? 0) + times;
      if (played.wrong.length > 0) totals.wrong.push(`seed ${seed}: ${played.wrong.join('; ')}`);
    } catch (error) {
      totals.wrong.push(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    totals.next++;
    totals.played++;
    if (file !== undefined) writeFileSync(file, JSON.stringify(totals));
  }
  print(totals, first);
  return totals.wrong.length === 0;
}

function print({ next, played, counts, wrong }: Totals, first: number): void {
  for (const [what, times] of Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${String(times).padStart(8)}  ${what}`);
  for (const line of wrong) console.log(line);
  console.log(
    `seeds ${first} to ${next - 1}: ${played - wrong.length} of ${played} histories end in the same state on all living machines, with no acknowledged word lost and no purged text left`,
  );
}
