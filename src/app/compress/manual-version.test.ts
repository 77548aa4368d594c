import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { findSession } from '../find/session.ts';
import { fullExchanges } from '../layers/read.ts';
import { verify } from '../maintenance/verify.ts';
import { sync } from '../sync/sync.ts';
import { compressSession } from './compress.ts';
import { type Choice, manualVersion } from './manual-version.ts';
import { readVersion } from './version-files.ts';

const PINNED = 'Money is integer cents, everywhere.';
const ref = { project: '-srv-shop' as ProjectId, session: 'one' as SessionId };
const talk = (topic: string) =>
  Array.from({ length: 10 }, (_, n) => `The ${topic} has detail ${n}, worth ${n * 7} words.`).join(' ');

let world: TestWorld;
let file: string;
beforeAll(async () => {
  world = makeWorld();
  mkdirSync(join(world.projects, '-srv-shop'), { recursive: true });
  file = join(world.projects, '-srv-shop', 'one.jsonl');
  const turns = Array.from({ length: 5 }, (_, n) => ({
    you: `What about basket ${n}?${n === 1 ? `\n\n##keepit1.00## ${PINNED}` : ''}${n === 2 ? '\n\n##keepit0.20## Maybe blue.' : ''}`,
    agent: talk(`basket ${n}`),
  }));
  writeFileSync(file, transcript('/srv/shop', 'one', turns));
  await sync(world);
});
afterAll(() => world.remove());

const rowOf = async () => (await findSession(world, 'one')).row;

test('with any selection, kept text is whole, dropped text is gone, and pinned text stays', async () => {
  const row = await rowOf();
  const ids = (await fullExchanges(world, row)).map(({ id }) => id);
  const choice = fc.constantFrom<Choice>('keep', 'shrink', 'drop');
  await fc.assert(
    fc.asyncProperty(fc.array(choice, { minLength: 5, maxLength: 5 }), async (chosen) => {
      const choices = Object.fromEntries(ids.map((id, index) => [id, chosen[index] ?? 'keep']));
      const [outcome] = await manualVersion(world, row, { choices });
      const { markdown } = await readVersion(world, ref, outcome!.version!);
      expect(markdown).toContain(PINNED);
      chosen.forEach((way, n) => {
        const whole = markdown.includes(talk(`basket ${n}`));
        const asked = markdown.includes(`What about basket ${n}?`);
        if (way === 'keep') expect([whole, asked]).toEqual([true, true]);
        else expect(whole).toBe(false);
        if (way === 'drop') expect(markdown).not.toContain(`basket ${n} has detail`);
      });
    }),
    { numRuns: 12 },
  );
  expect((await verify(world, { session: 'one' })).problems).toEqual([]);
});

test('the same choices are the same version, by number, by id or by what is left over', async () => {
  const row = await rowOf();
  const ids = (await fullExchanges(world, row)).map(({ id }) => id);
  const ways = [
    { choices: { 1: 'drop', 2: 'drop' } },
    { choices: { [ids[0]!]: 'drop', [ids[1]!.slice(0, 9)]: 'drop' } },
    { choices: { 3: 'keep', 4: 'keep', 5: 'keep' }, others: 'drop' },
  ] as const;
  const made = [];
  for (const way of ways) made.push((await manualVersion(world, row, way))[0]!.version!.versionId);
  expect(new Set(made).size).toBe(1);
});

test('what is not an exchange of the session is refused, and so is nothing at all', async () => {
  const row = await rowOf();
  await expect(manualVersion(world, row, { choices: { ex_ffffffffffff: 'drop' } })).rejects.toThrow(
    'No exchange',
  );
  await expect(manualVersion(world, row, { choices: { 6: 'drop' } })).rejects.toThrow('No exchange');
  await expect(manualVersion(world, row, { choices: {} })).rejects.toThrow('Missing exchanges');
});

test('only parts that a choice is about get a version; what came after the last part waits', async () => {
  const more = { cwd: '/srv/shop', sessionId: 'one', isSidechain: false };
  const say = (uuid: string, role: string, content: unknown) =>
    `${JSON.stringify({ ...more, type: role, message: { id: uuid, role, content }, uuid, timestamp: '2026-01-06T10:00:00.000Z' })}\n`;
  const grow = async (n: number) => {
    appendFileSync(file, say(`u${n}`, 'user', `And basket ${n}?`));
    appendFileSync(file, say(`a${n}`, 'assistant', [{ type: 'text', text: talk(`basket ${n}`) }]));
    await sync(world);
  };
  await grow(5);
  await compressSession(world, ref, { delta: true, level: 'light' });
  const second = await manualVersion(world, await rowOf(), { choices: { 6: 'shrink' } });
  expect(second.map(({ part }) => part)).toEqual([2]);
  expect(Object.keys(second[0]!.settings.choices ?? {})).toHaveLength(1);
  await grow(6);
  await expect(manualVersion(world, await rowOf(), { choices: { 7: 'drop' } })).rejects.toThrow(
    'newer than the last part',
  );
});
