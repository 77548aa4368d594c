import { ACTS, type Scene } from './acts.ts';
import { keptEntries } from './kept-entries.ts';
import { beginLife } from './life.ts';
import { runAct } from './run-act.ts';

/** An archive in which every kind of thing is there already. */
export async function makeTemplate(root: string): Promise<void> {
  const life = beginLife(root);
  let n = 0;
  for (const name of [
    'sync',
    'facts add',
    'compress',
    'compose',
    'links add',
    'memory set',
    'keepit add',
    'summarize',
    'search',
  ]) {
    const scene: Scene = { life, n: n++, manifests: (await keptEntries(life.archive)).manifests, purged: [] };
    const act = ACTS.find((it) => it.name === name)!;
    act.prepare?.(scene);
    const { status, printed } = await runAct(life, act.does(scene)!);
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${printed}`);
  }
}
