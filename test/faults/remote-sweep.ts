import type { SweptAct } from '../made/kill-sweep.ts';
import './watched-files.ts';

/** [EVERY] [ACT:STEP]: runs three machines around a store, and kills them at every change of a file, at one in EVERY, or at one step. */
export async function runRemoteSweep([every = '1', only]: string[]): Promise<boolean> {
  // Loaded after the file system functions are watched.
  const { sweepKills } = await import('../made/kill-sweep.ts');
  let [kills, steps] = [0, 0];
  const wrong: string[] = [];
  const [act, step] = (only ?? '').split(':').map(Number);
  const one = act && step ? { act, step } : undefined;
  const onAct = (swept: SweptAct) => {
    kills += swept.kills;
    steps += swept.steps;
    console.log(`${String(swept.kills).padStart(6)} of ${swept.steps} steps  ${swept.name}`);
    for (const it of swept.wrong) wrong.push(`${swept.name} ${it}`);
  };
  await sweepKills(Number(every), onAct, one);
  for (const line of wrong) console.log(line);
  console.log(
    `killed at ${kills} of ${steps} steps: ${wrong.length === 0 ? 'all end in the same state, with no acknowledged word lost and no purged text left' : `${wrong.length} wrong`}`,
  );
  return wrong.length === 0;
}
