import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { playHistory } from '../made/remote-history.ts';

type Totals = {
  next: number;
  played: number;
  kills: number;
  storeFaults: number;
  dead: number;
  purges: number;
  wrong: string[];
};

/**
 * Random lives of several machines around one store: [HISTORIES] [SEED] [STATE-FILE]. With a state file a run that was stopped goes
 * on where it was. Every history that ends wrongly is printed with its seed, and the exit status is 1 then. A seed draws the
 * same steps again; keys and folders are new each time, so that a rare end may not come back at once.
 */
export async function runRemotes(args: string[]): Promise<boolean> {
  const [histories, first] = [Number(args[0] ?? 5000), Number(args[1] ?? 1)];
  const isTraced = args.at(-1) === '--trace';
  const file = isTraced ? undefined : args[2];
  const none: Totals = { next: first, played: 0, kills: 0, storeFaults: 0, dead: 0, purges: 0, wrong: [] };
  const totals: Totals =
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : none;
  for (; totals.next < first + histories; totals.next++) {
    const seed = totals.next;
    try {
      const played = await playHistory(seed, isTraced ? console.log : undefined);
      for (const key of ['kills', 'storeFaults', 'dead', 'purges'] as const) totals[key] += played[key];
      if (played.wrong.length > 0) totals.wrong.push(`seed ${seed}: ${played.wrong.join('; ')}`);
    } catch (error) {
      totals.wrong.push(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    totals.played++;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ ...totals, next: seed + 1 }));
    if (totals.played % 50 === 0) console.log(summary(totals));
  }
  for (const wrong of totals.wrong) console.log(wrong);
  console.log(summary(totals));
  return totals.wrong.length === 0;
}

function summary({ played, kills, storeFaults, dead, purges, wrong }: Totals): string {
  return `${played} histories: ${kills} kills, ${storeFaults} faults of the store, ${dead} machines that never came back, ${purges} purges; ${played - wrong.length} end in the same state with nothing lost and nothing purged left`;
}
