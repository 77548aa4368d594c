import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { verify } from '../maintenance/verify.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { addToOpen } from './open-purge.ts';
import { type PurgeTarget, preparePurge } from './purge.ts';

const TEXT = 'The vault in the cellar/attic <opens>\nwith the third key from Zürich.';

let world: TestWorld;
let folder: string;
beforeEach(() => {
  world = makeWorld();
  folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => world.remove());

const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.jsonl`), text);
const said = (name: string, words: string) =>
  transcript('/srv/shop', name, [{ you: words, agent: `Yes, ${words}` }]);
const purge = async (target: PurgeTarget) => (await preparePurge(world, target)).carryOut();
/** A file of the archive that no code of ours knows. */
function plant(name: string, content: string | Buffer): void {
  const path = join(world.places.archive, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
}

const FORMS: [string, (line: string) => string][] = [
  ['as JSON writes it', (line) => line],
  ['with slashes escaped', (line) => line.replaceAll('/attic', '\\/attic')],
  ['with brackets escaped', (line) => line.replaceAll('<', '\\u003c').replaceAll('>', '\\u003E')],
  ['with an umlaut escaped', (line) => line.replaceAll('ü', '\\u00FC')],
  ['with its umlaut in two parts', (line) => line.replaceAll('ü', 'u\u0308')],
  ['with letters escaped', (line) => line.replaceAll('vault', '\\u0076ault')],
  ['with other line ends', (line) => line.replaceAll('\\nwith', '\\r\\nwith')],
  ['on one line', (line) => line.replaceAll('\\nwith', ' with')],
];

test.each(FORMS)('a text of two lines %s is gone, and register does not bring it back', async (_, form) => {
  write('one', form(said('one', TEXT)));
  write('two', said('two', 'Other words entirely.'));
  await sync(world);
  const { left, places } = await purge({ kind: 'text', text: TEXT });
  expect(left).toEqual([]);
  expect(places.map(({ kind }) => kind)).toContain('originals');
  const again = [TEXT, ...TEXT.split('\n'), 'third key from'].map((text) => ({
    what: 'text' as const,
    folded: text.toLowerCase().replace(/\s+/g, ' '),
    word: '',
  }));
  expect((await world.archive.lookAgain(again, [])).files).toEqual([]);
  // The agent's file still holds it, and grows.
  write('one', form(`${said('one', TEXT)}${said('one', 'One more.').replaceAll('one-', 'more-')}`));
  await sync(world);
  await register(world, join(folder, 'one.jsonl'));
  expect((await world.archive.lookAgain(again, [])).files).toEqual([]);
});

test('what the first search misses is named with its place: other case, one line, a beginning, packed, any name', async () => {
  write('one', said('one', TEXT));
  await sync(world);
  plant('somewhere/new.bin', `x ${TEXT.toUpperCase()} y`);
  plant('cache/queue/odd', '{"job":{"line":"WITH the third\\u0020key from Z\\u00fcrich."}}');
  plant('logs/old.gz', gzipSync(`a\n${TEXT.replace('\n', ' ').toUpperCase()}\n`));
  plant('titles.txt', '# the vault in the cellar/attic <op');
  const { left } = await purge({ kind: 'text', text: TEXT });
  const places = left.map(({ path, what }) => [path.slice(world.places.archive.length + 1), what]).sort();
  expect(places).toEqual([
    ['cache/queue/odd', 'line'],
    ['logs/old.gz', 'text'],
    ['somewhere/new.bin', 'text'],
    ['titles.txt', 'beginning'],
  ]);
});

test('a purged session leaves no file with its id, and no place of the cache that names it', async () => {
  const id = '64dbca98-64a0-4595-8ff7-dec32d240905';
  write(id, said(id, 'Words of a session that goes.'));
  write('two', said('two', `Compare it with ${id}.`));
  await sync(world);
  const [project] = await world.archive.projects();
  plant(`cache/hooks/sessions/${id}.json`, '{}');
  plant('cache/hooks/recent.json', JSON.stringify({ sessions: [id] }));
  plant(`projects/${project}/injections/${id}.jsonl`, '{"at":1}\n');
  // What a killed writer left.
  plant(`cache/layers/.tmp-0123456789abcdef-${project}.json`, JSON.stringify({ sessions: [id] }));
  const { left } = await purge({ kind: 'session', session: id });
  expect(left).toEqual([]);
  const named = (await world.archive.lookAgain([{ what: 'text', folded: id, word: '' }], [])).files;
  const allowed = /manifest|history|sources\.json|two|memory\//;
  expect(named.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([]);
  expect(named.some(({ path }) => path.includes(id))).toBe(false);
});

test('verify says that a purge is not finished and how to finish it', async () => {
  write('one', said('one', TEXT));
  await sync(world);
  const [project] = await world.archive.projects();
  await addToOpen(world, project!, { sessions: [] });
  const { passed, problems } = await verify(world);
  expect(passed).toBe(false);
  expect(problems[0]).toMatchObject({ subject: 'purge', hint: expect.stringContaining('keepsake sync') });
  expect(JSON.stringify(problems)).not.toContain('backup');
  await sync(world);
  expect(await verify(world)).toMatchObject({ passed: true, problems: [] });
});

test('what another process writes between the two searches is erased as well', async () => {
  write('one', said('one', TEXT));
  await sync(world);
  const { archive } = world;
  let searches = 0;
  const lookAgain: typeof archive.lookAgain = (...args) => {
    searches++;
    if (searches === 1) {
      plant('projects/-srv-shop/composed/late/composed.md', `Late: ${TEXT}`);
      plant('cache/gone-soon.tmp', TEXT);
    }
    return archive.lookAgain(...args);
  };
  const busy = { ...world, archive: { ...archive, lookAgain } };
  const { left } = await (await preparePurge(busy, { kind: 'text', text: TEXT })).carryOut();
  expect(left).toEqual([]);
  expect(searches).toBe(2);
  expect((await verify(world)).passed).toBe(true);
});

test('a process that writes late what it read early has its time: what it wrote is erased, and the purge is closed', async () => {
  write('one', said('one', TEXT));
  await sync(world);
  const { archive } = world;
  let looks = 0;
  const late = (name: string) => plant(`projects/-srv-shop/memory/${name}.md`, `Late: ${TEXT}`);
  const wipe: typeof archive.wipe = async (texts, request) => {
    if (!request.overwrite && request.only === undefined && ++looks < 12) late(`first${looks}`);
    return archive.wipe(texts, request);
  };
  let searches = 0;
  const lookAgain: typeof archive.lookAgain = (...args) => {
    if (++searches < 8) late(`second${searches}`);
    return archive.lookAgain(...args);
  };
  const busy = { ...world, archive: { ...archive, wipe, lookAgain } };
  const { left } = await (await preparePurge(busy, { kind: 'text', text: TEXT })).carryOut();
  expect(left).toEqual([]);
  expect((await verify(world)).passed).toBe(true);
});

test('what only the second search finds is named after it was seen twice', async () => {
  write('one', said('one', TEXT));
  await sync(world);
  plant('notes.bin.gz', gzipSync(`packed ${TEXT}`));
  const { archive } = world;
  let searches = 0;
  const lookAgain: typeof archive.lookAgain = (...args) => {
    searches++;
    return archive.lookAgain(...args);
  };
  const counted = { ...world, archive: { ...archive, lookAgain } };
  const { left } = await (await preparePurge(counted, { kind: 'text', text: TEXT })).carryOut();
  expect(left.map(({ path }) => path)).toEqual([join(world.places.archive, 'notes.bin.gz')]);
  expect(searches).toBe(2);
});
