import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexContent } from '../../../test/made/index-content.ts';
import { indexUpdate } from '../../../test/made/index-update.ts';
import { FAULTS } from '../../core/model/fault.ts';
import type { SearchIndex } from '../../ports/search-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const QUESTIONS = { terms: ['word', 'all', 'w7'], prefixes: ['', 'w'], paths: ['a.ts'] };

let folder: string;
let path: string;
const opened: SearchIndex[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepsake-index-'));
  path = join(folder, 'archive', 'index.sqlite');
});
afterEach(async () => {
  for (const index of opened.splice(0)) await index.close();
  await rm(folder, { recursive: true });
});

function open(options = {}): SearchIndex {
  const index = openSearchIndex(path, options);
  opened.push(index);
  return index;
}

/** An index of some size, closed, so that all is in its one file. */
async function filled(): Promise<Buffer> {
  const index = openSearchIndex(path);
  for (let n = 0; n < 20; n++) {
    const texts = Array.from({ length: 30 }, (_, line) => `all word w${line} unique${n}x${line} word`);
    await index.update([indexUpdate(`s${n}`, 0, texts, { files: [['src/a.ts', n + 1]] })], {
      gen: String(n),
    });
  }
  await index.close();
  return readFile(path);
}

describe('a missing index', () => {
  test('is empty to every reader, and looking at it makes nothing on the disk', async () => {
    const index = open();
    expect((await index.view()).lineCount).toBe(0);
    expect((await index.cursors()).size + (await index.marks()).size).toBe(0);
    await index.tidy();
    await index.remove('p', 'session', 's');
    await index.update([]);
    await index.destroy();
    expect(await index.state()).toMatchObject({ usable: true, lines: 0, bytes: 0 });
    expect(existsSync(join(folder, 'archive'))).toBe(false);
  });

  test('is made by the first update, for its owner alone', async () => {
    const index = open();
    await index.update([indexUpdate('s1', 0, ['a'])]);
    const names = await readdir(join(folder, 'archive'));
    expect(names.sort()).toEqual(['index.sqlite', 'index.sqlite-shm', 'index.sqlite-wal']);
    for (const name of names) expect((await stat(join(folder, 'archive', name))).mode & 0o777).toBe(0o600);
  });

  test('that another process took away is noticed by who had it open', async () => {
    const [mine, other] = [open(), open()];
    await mine.update([indexUpdate('s1', 0, ['a'])]);
    (await mine.view()).close();
    await other.destroy();
    expect(await readdir(join(folder, 'archive'))).toEqual([]);
    expect((await mine.view()).lineCount).toBe(0);
    await expect(mine.update([indexUpdate('s1', 10, ['b'])])).rejects.toMatchObject({ code: 'conflict' });
    await mine.update([indexUpdate('s2', 0, ['b'])]);
    expect([...(await other.cursors()).keys()]).toEqual(['-home-ada-app/session/s2']);
  });
});

describe('a damaged index', () => {
  /** What each way of using it comes to. */
  async function outcomes(): Promise<string[]> {
    const index = openSearchIndex(path, { waitMs: 0 });
    const tried = [
      () => index.cursors(),
      async () => indexContent(index, QUESTIONS),
      () => index.update([indexUpdate('new', 0, ['fresh word'])]),
      () => index.remove('-home-ada-app', 'session', 's3'),
      () => index.tidy(),
      () => index.update([indexUpdate('new', 0, ['more'])]),
    ];
    const codes: string[] = [];
    for (const use of tried) {
      codes.push(
        await use().then(
          () => 'fine',
          (error) => (error.code in FAULTS ? error.code : `not a fault: ${error.stack}`),
        ),
      );
    }
    await index.close();
    return codes;
  }

  /** After `destroy`, as the app would do it. */
  async function expectRebuilt(): Promise<void> {
    const index = open();
    await index.destroy();
    await index.update([indexUpdate('s1', 0, ['a'])]);
    expect([...(await index.cursors()).keys()]).toEqual(['-home-ada-app/session/s1']);
  }

  test.each([
    ['text', (bytes: Buffer) => Buffer.from('not a database at all\n'.repeat(bytes.length / 22))],
    ['empty', () => Buffer.alloc(0)],
    ['noughts', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['a few bytes of it', (bytes: Buffer) => bytes.subarray(0, 60)],
    ['its first page', (bytes: Buffer) => bytes.subarray(0, 4096)],
    ['a database without its first page', (bytes: Buffer) => bytes.subarray(4096)],
  ])('that is %s is a fault that says so, and can be made anew', async (_, damage) => {
    const bytes = await filled();
    await writeFile(path, damage(bytes));
    expect(await outcomes()).toEqual(Array(6).fill('corrupt'));
    const index = open();
    expect(await index.state()).toMatchObject({ usable: false });
    await expectRebuilt();
  });

  test("that is another program's database is a fault and stays as it is", async () => {
    await filled();
    await rm(path);
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE precious (x); INSERT INTO precious VALUES (1)');
    other.close();
    const before = await readFile(path);
    expect(await outcomes()).toEqual(Array(6).fill('corrupt'));
    expect(await readFile(path)).toEqual(before);
  });

  test('that lacks a table, or holds what no index holds, is a fault', async () => {
    const bytes = await filled();
    for (const harm of [
      'DROP TABLE counts',
      'DELETE FROM counts',
      'DROP TABLE sources',
      "UPDATE counts SET lines = 'many'",
      'UPDATE counts SET lines = lines - 1',
      'UPDATE counts SET exchanges = 9e18',
      'UPDATE counts SET exchanges = 2000000000',
      'UPDATE counts SET lines = 1e12',
      "DELETE FROM columns WHERE name = 'role'",
      "UPDATE columns SET data = 'text'",
      'UPDATE postings SET data = zeroblob(3)',
      'UPDATE postings SET count = 4000000000',
      'UPDATE postings SET count = -1',
      'DELETE FROM places',
    ]) {
      await writeFile(path, bytes);
      const db = new DatabaseSync(path);
      db.exec(harm);
      db.close();
      const codes = await outcomes();
      expect(codes, harm).toContain('corrupt');
      expect(
        codes.filter((code) => code !== 'fine' && code !== 'corrupt'),
        harm,
      ).toEqual([]);
    }
  });

  test('cut anywhere, or with any bytes changed, it is a fault or an answer, never anything else', async () => {
    const bytes = await filled();
    const harm = fc.oneof(
      fc.record({ cut: fc.nat(bytes.length - 1) }),
      fc.record({ at: fc.nat(bytes.length - 1), put: fc.uint8Array({ minLength: 1, maxLength: 300 }) }),
      fc.record({ at: fc.nat(bytes.length - 1), flip: fc.nat(7) }),
    );
    let noticed = 0;
    await fc.assert(
      fc.asyncProperty(harm, async (how) => {
        await writeFile(path, bytes);
        if ('cut' in how) await truncate(path, how.cut);
        else {
          const changed = Buffer.from(bytes);
          if ('put' in how) changed.set(how.put.subarray(0, bytes.length - how.at), how.at);
          else changed[how.at]! ^= 1 << how.flip;
          await writeFile(path, changed);
        }
        const codes = await outcomes();
        expect(codes.filter((code) => !['fine', 'corrupt', 'newer-version'].includes(code))).toEqual([]);
        if (codes.includes('corrupt')) noticed++;
      }),
      { numRuns: 150 },
    );
    expect(noticed).toBeGreaterThan(20);
    await expectRebuilt();
  });
});

describe('an index of another version', () => {
  async function setVersion(version: number): Promise<void> {
    await filled();
    const db = new DatabaseSync(path);
    db.exec(`CREATE TABLE of_that_version (x); PRAGMA user_version = ${version}`);
    db.close();
  }

  test('that is newer is refused by every use and left as it is', async () => {
    await setVersion(99);
    const before = await readFile(path);
    const index = open();
    for (const use of [
      index.cursors(),
      index.marks(),
      index.view(),
      index.update([indexUpdate('s1', 0, ['a'])]),
      index.tidy(),
    ]) {
      await expect(use).rejects.toMatchObject({ code: 'newer-version' });
    }
    expect(await index.state()).toMatchObject({ usable: false });
    await index.close();
    expect(await readFile(path)).toEqual(before);
  });

  test('that is older is empty to a reader and rebuilt by the first update', async () => {
    await setVersion(0);
    const index = open();
    expect((await index.view()).lineCount + (await index.cursors()).size).toBe(0);
    await index.update([indexUpdate('s1', 0, ['a'])]);
    expect([...(await index.cursors()).keys()]).toEqual(['-home-ada-app/session/s1']);
    expect((await index.view()).postings('word').lines.length).toBe(0);
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'of_that_version'").all()).toEqual([]);
    db.close();
  });
});

describe('an index that another process writes to', () => {
  let holder: DatabaseSync;
  beforeEach(async () => {
    await filled();
    holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE; UPDATE counts SET lines = 0');
  });
  afterEach(() => {
    if (holder.isOpen) holder.close();
  });

  test('can be read meanwhile, as it was before', async () => {
    const index = open();
    expect((await index.view()).lineCount).toBe(600);
    expect((await index.cursors()).size).toBe(20);
  });

  test('is busy for a writer that does not wait, and does not count as damaged', async () => {
    const index = open({ waitMs: 0 });
    for (const use of [
      index.update([indexUpdate('x', 0, ['a'])]),
      index.remove('p', 'session', 's'),
      index.tidy(),
    ]) {
      await expect(use).rejects.toMatchObject({ code: 'busy' });
    }
    expect(await index.state()).toMatchObject({ usable: true, lines: 600 });
  });

  test('is written to by one that waits once the other is done', async () => {
    const index = open({ waitMs: 30_000 });
    const update = index.update([indexUpdate('x', 0, ['a'])]);
    await index.cursors();
    holder.exec('ROLLBACK');
    await update;
    expect((await index.cursors()).size).toBe(21);
  });

  test('that is locked whole is busy even for a reader', async () => {
    holder.exec('ROLLBACK');
    holder.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    const index = open({ waitMs: 0 });
    await expect(index.view()).rejects.toMatchObject({ code: 'busy' });
    await expect(index.cursors()).rejects.toMatchObject({ code: 'busy' });
    await expect(index.update([indexUpdate('x', 0, ['a'])])).rejects.toMatchObject({ code: 'busy' });
    holder.exec('ROLLBACK');
    expect((await index.cursors()).size).toBe(20);
  });
});

test.skipIf(process.getuid?.() === 0)(
  'an index in a folder that must not be written to is a fault that says so',
  async () => {
    await filled();
    await chmod(join(folder, 'archive'), 0o500);
    await chmod(path, 0o400);
    const index = open();
    await expect(index.update([indexUpdate('x', 0, ['a'])])).rejects.toMatchObject({ code: 'read-only' });
    await chmod(join(folder, 'archive'), 0o700);
  },
);

test('no text is in the file but the terms', async () => {
  const index = open();
  await index.update([indexUpdate('s1', 0, ['findme'], { title: 'a title' })]);
  await index.close();
  const bytes = await readFile(path);
  expect([bytes.includes('findme'), bytes.includes('a title')]).toEqual([true, true]);
  expect(await readdir(join(folder, 'archive'))).toEqual(['index.sqlite']);
});

test('merging and compacting give room back', async () => {
  const index = open();
  const texts = Array.from({ length: 200 }, (_, n) => `all word w${n} u${n}u${n}`);
  const all = Array.from({ length: 30 }, (_, n) => n);
  for (const n of all)
    await index.update([
      indexUpdate(
        `s${n}`,
        0,
        texts.map((text) => `${text}x${n}`),
      ),
    ]);
  for (const n of all.slice(1)) await index.remove('-home-ada-app', 'session', `s${n}`);
  await index.close();
  const before = (await stat(path)).size;
  const again = open();
  await again.tidy();
  await again.close();
  expect((await stat(path)).size).toBeLessThan(before / 4);
});
