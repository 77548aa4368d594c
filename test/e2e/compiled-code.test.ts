import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

let remove: () => void;
beforeAll(() => {
  remove = builtCli();
});
afterAll(() => remove());

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
});
afterEach(() => home.remove());

/** In the archive's own cache, as a user has it. */
const OWN = { NODE_COMPILE_CACHE: '' };
const folder = () => join(home.archive, 'cache', 'compiled');
const packs = () => readdirSync(folder()).map((name) => join(folder(), name));
const search = () => home.spawn(['search', 'oven'], OWN);

function filled(): void {
  home.session('/home/ada/bakery', '11111111-1111-4111-8111-111111111111', [
    { you: 'Why is the oven cold?', agent: 'The oven has no gas.' },
  ]);
  expect(home.spawn(['sync'], OWN).status).toBe(0);
}

test('compiled code is stored in the cache of an archive, private, and nowhere while there is no archive', () => {
  expect(home.spawn(['sessions'], OWN).status).toBe(0);
  expect(readdirSync(home.path)).not.toContain('.claude-memory');
  filled();
  search();
  home.spawn(['sessions'], OWN);
  expect(packs()).toHaveLength(2);
  for (const path of [folder(), ...packs()]) expect(statSync(path).mode & 0o077).toBe(0);
});

test('a run that compiles nothing new writes nothing', () => {
  filled();
  for (let run = 0; run < 4; run++) search();
  const before = packs().map((path) => [path, statSync(path).mtimeMs, statSync(path).ino]);
  search();
  expect(packs().map((path) => [path, statSync(path).mtimeMs, statSync(path).ino])).toEqual(before);
});

test('damaged code is not used: the answer is the same, and the code is stored again', () => {
  filled();
  const { stdout } = search();
  expect(stdout).toContain('no gas');
  search();
  const [pack = ''] = packs().filter((path) => path.includes('/search-'));
  const sound = readFileSync(pack);
  const torn = Buffer.from(sound);
  torn.fill(0, 4096, 8192);
  const damages = [torn, sound.subarray(0, sound.length / 2), Buffer.alloc(0), Buffer.alloc(sound.length)];
  for (const damaged of damages) {
    writeFileSync(pack, damaged);
    expect(search()).toMatchObject({ status: 0, stdout });
    expect(readFileSync(pack).equals(damaged)).toBe(false);
  }
});

test('an unknown command leaves nothing behind', () => {
  filled();
  search();
  const before = packs();
  expect(home.spawn(['secretword'], OWN).status).not.toBe(0);
  expect(packs()).toEqual(before);
});

test('everything works where nothing can be written', () => {
  filled();
  const { stdout } = search();
  const other = join(home.path, 'a-file');
  mkdirSync(join(home.path, 'empty'));
  writeFileSync(other, '');
  expect(home.spawn(['search', 'oven'], { NODE_COMPILE_CACHE: other })).toMatchObject({ status: 0, stdout });
  expect(home.spawn(['search', 'oven'], { NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject({
    status: 0,
    stdout,
  });
});
