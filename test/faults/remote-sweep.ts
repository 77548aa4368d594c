import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import './watched-files.ts';

/** By the number of the act: the last step that was tried, and how many kills there were. */
type Totals = { last: Record<string, number>; kills: Record<string, number>; wrong: string[] };

/**
 * [EVERY] [ACT | ACT-ACT | ACT:STEP] [STATE-FILE]: runs three machines around a store, and kills them at every change of a file or at
 * one in EVERY; in all acts, in some, or at one step. With a state file, a stopped run continues.
 */
export async function runRemoteSweep([every = '1', only = '', file]: string[]): Promise<boolean> {
  // Loaded after the file system functions are watched.
  const { sweepKills } = await import('../made/kill-sweep.ts');
  const none: Totals = { last: {}, kills: {}, wrong: [] };
  const totals: Totals =
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : none;
  let steps = 0;
  const [, from, to = from, step] = /^(\d+)(?:-(\d+)|:(\d+))?$/.exec(only) ?? [];
  const some =
    from === undefined
      ? undefined
      : { from: Number(from), to: Number(to), step: step === undefined ? undefined : Number(step) };
  const killsIn = (act: number | string) => totals.kills[act] ?? 0;
  const notes = {
    last: (act: number) => totals.last[act] ?? 0,
    onKill: (act: number, at: number, wrong: string[]) => {
      totals.last[act] = at;
      totals.kills[act] = killsIn(act) + 1;
      totals.wrong.push(...wrong.map((it) => `act ${act}, killed at ${at}: ${it}`));
      if (file !== undefined) writeFileSync(file, JSON.stringify(totals));
    },
    onAct: (swept: { name: string; steps: number }) => {
      steps += swept.steps;
      const kills = killsIn(Number.parseInt(swept.name, 10));
      console.log(`${String(kills).padStart(6)} of ${swept.steps} steps  ${swept.name}`);
    },
  };
  await sweepKills(Number(every), notes, some);
  const kills = Object.values(totals.kills).reduce((sum, it) => sum + it, 0);
  for (const line of totals.wrong) console.log(line);
  console.log(
    `killed at ${kills} of ${steps} steps: ${totals.wrong.length === 0 ? 'all end in the same state, with no acknowledged word lost and no purged text left' : `${totals.wrong.length} wrong`}`,
  );
  return totals.wrong.length === 0;
}
