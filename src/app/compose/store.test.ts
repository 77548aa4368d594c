import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { verify } from '../maintenance/verify.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { compose } from './compose.ts';
import { deleteComposition, findComposition, listCompositions, showComposition } from './compositions.ts';

const SHOP = '-srv-shop' as ProjectId;
let made: TestWorld;
beforeEach(async () => {
  made = makeWorld();
  made.places.cwd = '/srv/shop';
  const folder = join(made.projects, '-srv-shop');
  mkdirSync(folder);
  for (const id of ['alpha', 'bravo']) {
    const turns = Array.from({ length: 8 }, (_, at) => ({
      you: `How is ${id} ${at} done?`,
      agent: `With ${id}-${at}.ts, which reads table ${at * 3}.`,
    }));
    writeFileSync(join(folder, `${id}.jsonl`), transcript('/srv/shop', id, turns));
  }
  await sync(made);
});
afterEach(() => made.remove());

/** The same world, in which everything that writes fails from its nth time on, as for a process that was killed. */
function cutOff(after: number): { world: World; cut: () => boolean } {
  let steps = 0;
  const { archive } = made;
  const step = <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    ((...args: A) => {
      if (steps++ >= after) return Promise.reject(new Fault('disk-full', 'There is no room.'));
      return work(...args);
    }) as (...args: A) => Promise<R>;
  const files = {
    ...archive.files,
    write: step(archive.files.write),
    create: step(archive.files.create),
    remove: step(archive.files.remove),
  };
  const world = {
    ...made,
    archive: { ...archive, files, change: step(archive.change), exclusive: archive.exclusive },
  };
  return { world, cut: () => steps > after };
}

const sessionFiles = () => readdirSync(join(made.projects, '-srv-shop')).sort();
const ask = { budget: 400, sessions: ['alpha'] };
const other = { budget: 300, sessions: ['bravo'] };

describe('storing a composition', () => {
  it('in the place of another, cut off at any step: one of the two is whole, and no session is left over', async () => {
    const before = (await compose(made, 'basket', ask)).markdown;
    const { markdown: after } = await compose(made, 'basket', other, { preview: true });
    const existing = sessionFiles();
    let [steps, olds, news] = [0, 0, 0];
    for (; ; steps++) {
      const { world, cut } = cutOff(steps);
      const done = await compose(world, 'basket', other, { force: true, resume: true }).catch(
        () => undefined,
      );
      if (!cut()) break;
      const row = await findComposition(made, 'basket');
      const { markdown } = await showComposition(made, row);
      expect([before, after], `after ${steps} steps`).toContain(markdown);
      if (markdown === before) olds++;
      else news++;
      expect((await verify(made)).problems, `after ${steps} steps`).toEqual([]);
      const fresh = sessionFiles().filter((name) => !existing.includes(name));
      if (!done) expect(fresh).toEqual([]);
      await compose(made, 'basket', ask, { force: true });
    }
    expect([olds > 3, news > 3]).toEqual([true, true]);
    expect(await made.archive.files.list(SHOP, 'composed')).toEqual([
      'basket/composed.jsonl',
      'basket/composed.md',
      'basket/composition.json',
    ]);
    expect(sessionFiles()).toHaveLength(existing.length + 1);
  });

  it('twice at once under one name: one is stored and the other gets a conflict; with force the record has its own text', async () => {
    const asks = [ask, other, { ...ask, budget: 350 }, { ...other, budget: 250 }];
    const plain = await Promise.allSettled(asks.map((it) => compose(made, 'basket', it)));
    expect(plain.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const it of plain)
      if (it.status === 'rejected') expect(it.reason).toMatchObject({ code: 'conflict' });
    expect((await verify(made)).problems).toEqual([]);
    const forced = await Promise.all(asks.map((it) => compose(made, 'basket', it, { force: true })));
    const row = await findComposition(made, 'basket');
    const winner = forced.find(({ compositionId }) => compositionId === row.compositionId)!;
    expect((await showComposition(made, row)).markdown).toBe(winner.markdown);
    expect((await verify(made)).problems).toEqual([]);
    expect(await made.archive.files.list(SHOP, 'composed')).toHaveLength(3);
  });

  it('under a name that differs only in its case replaces it', async () => {
    await compose(made, 'Basket', ask);
    const done = await compose(made, 'basket', other, { force: true });
    expect((await listCompositions(made)).items.map(({ name }) => name)).toEqual(['basket']);
    expect(await made.archive.files.list(SHOP, 'composed')).toHaveLength(3);
    expect((await showComposition(made, await findComposition(made, 'BASKET'))).markdown).toBe(done.markdown);
  });

  it('says when the session that was made of it is gone, and a deleted one leaves nothing', async () => {
    const { resumed } = await compose(made, 'basket', ask, { resume: true });
    const file = resumed?.[0]?.file ?? '';
    expect(existsSync(file)).toBe(true);
    const row = await findComposition(made, 'basket');
    expect((await showComposition(made, row)).gone).toEqual([]);
    rmSync(file);
    expect((await showComposition(made, row)).gone.join()).toContain('no longer exists');
    await deleteComposition(made, row);
    expect(await made.archive.files.list(SHOP, 'composed')).toEqual([]);
  });
});
