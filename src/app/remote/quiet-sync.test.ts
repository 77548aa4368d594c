import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RemoteMachines } from '../../../test/made/remote-machines.ts';
import { workSession } from '../../../test/made/work.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { addFact } from '../layers/facts-edit.ts';
import { sync } from '../sync/sync.ts';
import { addRemote } from './add-remote.ts';
import { approveRemote, shareProjects } from './share.ts';
import { syncRemote } from './sync-remote.ts';

const PROJECT = '-srv-shop' as ProjectId;
let machines: RemoteMachines;
beforeEach(() => {
  machines = new RemoteMachines();
});
afterEach(() => machines.remove());

/** The same machine, with every call of its store and every write of its own noted. */
async function noting(world: TestWorld): Promise<{ world: TestWorld; calls: string[] }> {
  const calls: string[] = [];
  const remotes = await world.remotes!();
  const noted =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A) => {
      calls.push(name);
      return call(...args);
    };
  const { files } = remotes;
  const opened = {
    ...remotes,
    files: {
      ...files,
      write: (name: string, bytes: string | Uint8Array) => {
        calls.push(name);
        return files.write(name, bytes);
      },
    },
    open: async (address: string) => {
      const store = await remotes.open(address);
      return {
        ...store,
        list: noted('list', store.list),
        get: noted('get', store.get),
        put: noted('put', store.put),
        remove: noted('remove', store.remove),
      };
    },
  };
  return { world: { ...world, remotes: async () => opened }, calls };
}

test('a sync with nothing to do asks for one list; whatever changes here or there ends that', async () => {
  const first = machines.add();
  mkdirSync(join(first.projects, PROJECT), { recursive: true });
  writeFileSync(
    join(first.projects, PROJECT, 's1.jsonl'),
    workSession('s1', [{ you: 'Add a test.' }, { agent: 'Done.' }]),
  );
  await sync(first);
  await addRemote(first, { address: machines.store });
  await shareProjects(first, { all: true });
  await approveRemote(first);
  for (let time = 0; time < 2; time++) await syncRemote(first, 'home');
  const { world, calls } = await noting(first);
  const { pulled, pushed } = await syncRemote(world, 'home');
  expect([pulled.segments, pushed.segments]).toEqual([0, 0]);
  expect(calls).toEqual(['list', 'home/remote.json']);
  await addFact(world, { content: 'Prices are in cents.', project: PROJECT });
  expect((await syncRemote(world, 'home')).pushed.records).toBeGreaterThan(0);
  for (let time = 0; time < 2; time++) await syncRemote(world, 'home');
  rmSync(join(machines.store, 'r'), { recursive: true });
  expect((await syncRemote(world, 'home')).pushed.segments).toBeGreaterThan(0);
});
