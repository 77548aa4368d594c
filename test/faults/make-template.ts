import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ACTS } from './acts.ts';
import { keptEntries } from './kept-entries.ts';
import { beginLife, Life, OLD } from './life.ts';
import { bundleOf, storeOf } from './remote-acts.ts';
import { runAct } from './run-act.ts';
import type { Program, Scene } from './scene.ts';

const FIRST_ACTS = [
  'sync',
  'facts add',
  'compress',
  'compose',
  'links add',
  'memory set',
  'keepit add',
  'summarize',
  'search',
];

/** Makes an archive that contains every kind of thing. */
export async function makeTemplate(root: string): Promise<void> {
  const life = beginLife(root);
  let n = 0;
  for (const name of FIRST_ACTS) {
    const scene: Scene = { life, n: n++, manifests: (await keptEntries(life.archive)).manifests, purged: [] };
    const act = ACTS.find((it) => it.name === name)!;
    act.prepare?.(scene);
    await run(life, act.does(scene)!);
  }
  mkdirSync(storeOf(life));
  await run(life, ['remote', 'add', storeOf(life)]);
  await run(life, ['remote', 'share', '--all']);
  await run(life, ['remote', 'approve']);
  await run(life, ['remote', 'sync']);
  await bringBundle(life);
}

/** A bundle that another user exported. */
async function bringBundle(life: Life): Promise<void> {
  const maria = new Life(join(life.root, 'maria'));
  mkdirSync(maria.folder(), { recursive: true });
  for (let n = 0; n < 3; n++) maria.grow(OLD.replace(/^0000/, '0009'), `maria${n}lantern`);
  await run(maria, ['sync']);
  await run(maria, ['export', '--out', bundleOf(life)]);
  rmSync(maria.root, { recursive: true, force: true });
}

async function run(life: Life, what: Program): Promise<void> {
  const { status, printed } = await runAct(life, what);
  if (status !== 0) throw new Error(`${what} ended with ${status}: ${printed}`);
}
