import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { addWork } from '../../src/adapters/detached/work-queue.ts';
import { leaveEnd } from '../../src/hook-leave.ts';
import { type Life, OLD, SECOND } from './life.ts';
import { type Act, factOf, type Scene, spare } from './scene.ts';

/** A folder outside the archive that other machines would share. */
export function storeOf(life: Life): string {
  return join(life.root, 'store');
}

/** A bundle that another user exported, for `import`. */
export function bundleOf(life: Life): string {
  return join(life.root, 'brought.keepsake.gz');
}

const second = ({ life }: Scene) => join(life.root, 'store-of-second');

/** Acts with remotes, bundles and the detached process of hooks. */
export const REMOTE_ACTS: Act[] = [
  {
    name: 'remote sync',
    prepare: ({ life, n }) => life.grow(OLD, `sent${n}shelf`),
    does: () => ['remote', 'sync', 'home'],
  },
  {
    name: 'remote auto',
    does: ({ n }) => ['config', 'set', 'remote.auto', String(n % 2 === 0)],
    takes: (entry) => entry.startsWith('config.json'),
  },
  {
    name: 'remote add',
    prepare: (scene) => mkdirSync(second(scene), { recursive: true }),
    does: (scene) => ['remote', 'add', second(scene), '--name', `second${scene.n}`, '--plain'],
  },
  { name: 'remote share', does: () => ['remote', 'share', '--all', '--with', 'home'] },
  { name: 'remote approve', does: () => ['remote', 'approve', 'home'] },
  { name: 'private', does: (scene) => (spare(scene) ? ['private', spare(scene)!] : undefined) },
  { name: 'import bundle', does: ({ life }) => ['import', bundleOf(life), '--by', 'Maria'] },
  { name: 'share', does: ({ life, n }) => ['share', OLD, '--out', join(life.root, `out-${n}.md`), '--yes'] },
  {
    name: 'projects join',
    does: ({ life, n }) =>
      n % 2 === 0
        ? ['projects', 'join', life.folder(), life.folder('other')]
        : ['projects', 'split', life.folder('other')],
  },
  {
    name: 'facts confirm',
    does: (scene) => (factOf(scene) ? ['facts', 'confirm', factOf(scene)!] : undefined),
  },
  {
    name: 'detached work',
    prepare({ life, n }) {
      life.grow(SECOND, `ended${n}invoice`);
      const event = life.event('SessionEnd', SECOND, { reason: 'exit' });
      leaveEnd(event, life.archive, life.folder());
      addWork(life.archive, 'remote', 'all', { event, started: life.folder() });
    },
    does: () => ({ hook: '', detached: true }),
  },
];
