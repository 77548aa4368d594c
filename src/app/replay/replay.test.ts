import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY_SCRIPTS } from '../../../test/made/replay-days.ts';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ReplayedInjection } from '../../core/replay/replay-case.ts';
import { setSetting } from '../settings/configure.ts';
import { sync } from '../sync/sync.ts';
import { keepReplay, lastReplay } from './last-replay.ts';
import { replay } from './replay.ts';

const folder = '-srv-shop';
const nameOf = (day: number) => `day${String(day).padStart(5, '0')}`;

function put(world: TestWorld, days: readonly number[], first = 1): void {
  mkdirSync(join(world.projects, folder), { recursive: true });
  days.forEach((script, at) => {
    const day = first + at;
    const date = `2026-01-${String(day).padStart(2, '0')}`;
    writeFileSync(
      join(world.projects, folder, `${nameOf(day)}.jsonl`),
      workSession(nameOf(day), DAY_SCRIPTS[script % DAY_SCRIPTS.length]!, date),
    );
  });
}

/** What would have been said, by session. */
function said(world: TestWorld): Map<string, ReplayedInjection[]> {
  const root = join(world.places.archive, 'cache', 'replay');
  const names = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  return new Map(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => [name, JSON.parse(readFileSync(join(root, name), 'utf8')).injections]),
  );
}

function filesBut(root: string, left: RegExp): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const paths = names.filter((it) => it.isFile()).map((it) => join(it.parentPath, it.name));
  return Object.fromEntries(
    paths
      .filter((path) => !left.test(path.slice(root.length + 1)))
      .map((path) => [path.slice(root.length + 1), readFileSync(path, 'base64')]),
  );
}

describe('a replay of one project', () => {
  let world: TestWorld;
  beforeEach(() => {
    world = makeWorld();
  });
  afterEach(() => world.remove());

  test('finds an instruction that was repeated, and says from which session it would have been said', async () => {
    put(world, [0, 2, 0]);
    await sync(world);
    const { figures, cases } = await replay(world);
    expect(figures).toMatchObject({ sessions: 3, starts: 2, instructions: { found: 0 } });
    // The same prompt as a whole is a template: in other words it is an instruction that was repeated.
    expect(cases.filter(({ kind }) => kind === 'instruction')).toEqual([]);
    const again = workSession(
      'again001',
      [
        {
          you: 'Add a field. And please never edit the generated files under `src/gen`, run `make gen` instead.',
        },
        { agent: 'Done.' },
      ],
      '2026-01-09',
    );
    writeFileSync(join(world.projects, folder, 'again001.jsonl'), again);
    await sync(world);
    const report = await replay(world);
    const [found] = report.best.filter(({ kind }) => kind === 'instruction');
    expect(report.figures.instructions).toEqual({ found: 1, said: 1 });
    expect(found).toMatchObject({
      again: { session: 'again001' },
      before: { text: expect.stringContaining('generated files') },
      said: { on: 'start', text: expect.stringContaining('generated files') },
    });
    expect(found!.before.session).toMatch(/^day0000[13]$/);
    expect(found!.before.exchange).toMatch(/^ex_/);
  });

  test('finds an error that came back with the form that passed, and a file that was searched for', async () => {
    put(world, [1, 0, 1, 3]);
    await sync(world);
    const { cases, figures } = await replay(world);
    expect(figures).toMatchObject({
      errors: { found: 1, said: 0 },
      noted: 1,
      searched: { found: 1, said: 1 },
    });
    expect(cases.find(({ kind }) => kind === 'error')).toMatchObject({
      before: { session: nameOf(1), text: expect.stringContaining('worked: ./tools/gen --all') },
      again: { session: nameOf(3), text: expect.stringContaining('gen --all') },
      noted: expect.stringContaining('what worked: `./tools/gen --all`'),
    });
    expect(cases.find(({ kind }) => kind === 'file')).toMatchObject({
      before: { session: nameOf(2), text: 'changed: src/price.ts' },
      again: { session: nameOf(4), text: expect.stringContaining('**/price*.ts') },
      said: { on: 'start', text: expect.stringContaining('src/price.ts') },
    });
    expect(figures.files).toEqual({ changedAgain: 1, named: 1, ofLast: 1 });
  });

  test('with notes before commands on, what one would have said of an error counts as said', async () => {
    put(world, [1, 0, 1]);
    await sync(world);
    await setSetting(world, 'hooks.actionTokens', '120');
    const { figures, best } = await replay(world);
    expect(figures).toMatchObject({ errors: { found: 1, said: 1 }, noted: 0 });
    expect(best.find(({ kind }) => kind === 'error')).toMatchObject({
      said: { on: 'action', text: expect.stringContaining('./tools/gen --all') },
    });
  });

  test('counts what it would have said and the user took back later among the worst', async () => {
    put(world, [0, 2, 4]);
    await sync(world);
    const { figures, worst } = await replay(world);
    expect(figures.contradicted).toBe(1);
    expect(worst[0]).toMatchObject({
      kind: 'contradicted',
      before: { session: nameOf(1) },
      again: { session: nameOf(3), text: expect.stringContaining('You may edit') },
    });
  });

  test('changes nothing but its own cache, and a stopped run continues where it was', async () => {
    put(world, [0, 1, 2, 3, 0, 2]);
    await sync(world);
    const own = /^cache[\\/]|^index\.sqlite|^lock|^logs/;
    const before = filesBut(world.places.archive, own);
    const stop = new AbortController();
    const stopped = replay(
      world,
      {},
      {
        signal: stop.signal,
        onProgress: (done) => done === 3 && stop.abort(),
      },
    );
    await expect(stopped).rejects.toThrow();
    const first = said(world);
    expect(first.size).toBeGreaterThan(1);
    expect(first.size).toBeLessThan(6);
    const whole = await replay(world);
    expect(filesBut(world.places.archive, own)).toEqual(before);
    for (const [name, injections] of first) expect(said(world).get(name)).toEqual(injections);
    // A second run, from the cache alone, says the same.
    expect(await replay(world)).toEqual(whole);
  });

  test('a damaged file of its cache is made again', async () => {
    put(world, [0, 1, 2, 1]);
    await sync(world);
    const whole = await replay(world);
    const root = join(world.places.archive, 'cache', 'replay');
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((it) =>
      it.endsWith('.json'),
    );
    const damage = (name: string, change: (file: Record<string, unknown>) => unknown) => {
      const path = join(root, name);
      writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))));
    };
    damage(names[0]!, (file) => ({ ...file, moments: {} }));
    damage(names[1]!, (file) => ({ ...file, injections: [{}] }));
    damage(names[2]!, ({ moments, ...file }) => ({
      ...file,
      moments: { ...(moments as object), fixes: [3] },
    }));
    expect(await replay(world)).toEqual(whole);
    await keepReplay(world, {}, whole);
    expect((await lastReplay(world))?.report).toEqual(whole);
    damage('last.json', (file) => ({ ...file, report: { figures: {} } }));
    expect(await lastReplay(world)).toBeUndefined();
  });

  test('a day is one of the clock that is shown, and a report of nothing takes the place of no other', async () => {
    put(world, [0, 2]);
    await sync(world);
    world.clock = {
      ...world.clock,
      local: (utc) => new Date(Date.parse(utc) + 20 * 3_600_000).toISOString(),
    };
    // 2026-01-02 10:00 is 2026-01-03 06:00 there.
    const { figures } = await replay(world, { since: '2026-01-03' });
    expect(figures.sessions).toBe(1);
    await keepReplay(world, {}, await replay(world));
    await keepReplay(world, { since: '2030-01-01' }, await replay(world, { since: '2030-01-01' }));
    expect(await lastReplay(world)).toMatchObject({ request: {}, report: { figures: { sessions: 2 } } });
  });

  test('sessions before a day are known and not looked at', async () => {
    put(world, [0, 2, 2, 2]);
    await sync(world);
    const { figures, first } = await replay(world, { since: '2026-01-03', project: folder });
    expect(figures.sessions).toBe(2);
    expect(first).toMatch(/^2026-01-03/);
    expect([...said(world).values()].filter((it) => it !== undefined)).toHaveLength(2);
    expect(JSON.stringify([...said(world).values()])).toContain('src/gen');
  });
});

test('the order in which sessions came into the archive changes nothing', async () => {
  const results = [];
  for (const order of [
    [1, 2, 3, 4],
    [4, 2, 1, 3],
  ]) {
    const world = makeWorld();
    try {
      for (const at of order) {
        put(world, [[0, 1, 2, 3][at - 1]!], at);
        await sync(world);
      }
      results.push({ report: await replay(world), said: [...said(world).values()] });
    } finally {
      await world.remove();
    }
  }
  expect(results[1]).toEqual(results[0]);
});
