import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Checkouts } from '../../../test/made/checkouts.ts';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { type ProjectId, sanitizePath } from '../../core/model/ids.ts';
import { rateInjection } from '../inject/injection-feedback.ts';
import { logInjection } from '../inject/injection-log.ts';
import { listInjections } from '../inject/injections.ts';
import { sync } from '../sync/sync.ts';
import { runningFigures } from './running-figures.ts';

let world: TestWorld;
const project = '-srv-shop' as ProjectId;
const RULE = 'Never edit the generated files under `src/gen`, run `make gen` instead.';
beforeEach(async () => {
  world = makeWorld();
  mkdirSync(join(world.projects, project));
});
afterEach(() => world.remove());

function put(id: string, day: string, you: string): void {
  writeFileSync(
    join(world.projects, project, `${id}.jsonl`),
    workSession(id, [{ you }, { edit: 'src/price.ts' }, { agent: 'Done.' }], day),
  );
}

test('without injections there is nothing since', async () => {
  put('first001', '2026-01-05', RULE);
  await sync(world);
  expect(await runningFigures(world)).toMatchObject({ since: null, injections: 0, contradicted: 0 });
});

test('counts what was used, withdrawn later, and not helpful; again when something changes', async () => {
  put('first001', '2026-07-05', RULE);
  put('second01', '2026-07-06', 'Fix the price');
  await sync(world);
  const say = (text: string) =>
    logInjection(world, project, { session: 'second01', on: 'start', why: '', text }, []);
  await say(`rule r_1\n> ${RULE}`);
  await say('> src/price.ts');
  const first = await runningFigures(world);
  expect(first).toMatchObject({ injections: 2, known: 2, used: 1, contradicted: 0, unhelpful: 0 });
  expect(first.since).toMatch(/^2026-06-01/);
  put('third001', '2026-07-07', 'You may edit the generated files under `src/gen` now.');
  await sync(world);
  const { items } = await listInjections(world, {});
  await rateInjection(world, [project], items[0]!.id, false);
  expect(await runningFigures(world, 'shop')).toMatchObject({ injections: 2, unhelpful: 1 });
  expect(await runningFigures(world)).toMatchObject({ contradicted: 1, unhelpful: 1 });
});

test('what a session of another worktree took back counts as in one folder, and is counted when it comes', async () => {
  const made = new Checkouts(world);
  const shop = made.make('shop', 'git@github.com:acme/shop.git');
  const tree = made.worktree(shop, 'trees/3');
  const at = (cwd: string, id: string, day: string, you: string) => {
    const folder = join(world.projects, sanitizePath(cwd));
    mkdirSync(folder, { recursive: true });
    const steps = [{ you }, { edit: 'src/price.ts' }, { agent: 'Done.' }];
    writeFileSync(join(folder, `${id}.jsonl`), workSession(id, steps, day, cwd));
  };
  at(shop, 'first001', '2026-07-05', RULE);
  at(tree, 'second01', '2026-07-06', 'Fix the price');
  await sync(world);
  const said = { session: 'second01', on: 'start' as const, why: '', text: `rule r_1\n> ${RULE}` };
  await logInjection(world, sanitizePath(tree), said, []);
  expect(await runningFigures(world)).toMatchObject({ injections: 1, contradicted: 0 });
  at(shop, 'third001', '2026-07-07', 'You may edit the generated files under `src/gen` now.');
  await sync(world);
  expect(await runningFigures(world)).toMatchObject({ injections: 1, contradicted: 1 });
});
