import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { register } from '../sync/register.ts';
import { findProject } from './project.ts';
import { findSession, shortIds } from './session.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

async function keep(cwd: string, id: string): Promise<void> {
  const file = join(world.projects, cwd.replace(/\W/g, '-'), `${id}.jsonl`);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, transcript(cwd, id, [{ you: 'Hello' }]));
  await register(world, file);
}

test('short ids are prefixes that distinguish every id, as far as ids differ', () => {
  const id = fc.stringMatching(/^[ab]{1,12}$/);
  fc.assert(
    fc.property(fc.uniqueArray(id), (ids) => {
      const short = shortIds(ids);
      for (const [whole, prefix] of short) {
        expect(whole.startsWith(prefix)).toBe(true);
        const fits = ids.filter((other) => other.startsWith(prefix));
        // An id that others begin with is found anyway: an exact match wins.
        if (prefix !== whole) expect(fits).toEqual([whole]);
      }
    }),
  );
});

test('an exact id wins over longer ones that begin with it', async () => {
  await keep('/srv/a', 'talk');
  await keep('/srv/a', 'talk-two');
  expect((await findSession(world, 'talk')).sessionId).toBe('talk');
  expect((await findSession(world, 'talk-')).sessionId).toBe('talk-two');
});

test('one id in two projects is ambiguous until the project is named', async () => {
  await keep('/srv/a', 'talk');
  await keep('/srv/b', 'talk');
  await expect(findSession(world, 'talk')).rejects.toMatchObject({
    code: 'ambiguous',
    hint: expect.stringContaining('--project=-srv-b'),
  });
  expect((await findSession(world, 'talk', 'b')).projectId).toBe('-srv-b');
});

test('a project is found by id, path, name in any case, the start of its id, or the current folder', async () => {
  await keep('/srv/Shop', 'one');
  await keep(join(world.places.cwd, 'here'), 'two');
  for (const text of ['-srv-Shop', '/srv/Shop', '/srv/x/../Shop/', 'Shop', 'shop', '-srv-S']) {
    expect(await findProject(world, text)).toBe('-srv-Shop');
  }
  for (const text of ['here', './here', '~/here']) {
    expect((await world.archive.head(await findProject(world, text)))?.displayName).toBe('here');
  }
  await expect(findProject(world, 'shpo')).rejects.toMatchObject({
    code: 'not-found',
    hint: 'Did you mean Shop?',
  });
});
