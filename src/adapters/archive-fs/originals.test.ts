import {
  appendFile,
  link,
  lstat,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toProjectId } from '../../core/model/ids.ts';
import type { Archive, OriginalsMode } from '../../ports/archive.ts';
import { openArchive } from './open-archive.ts';

const PROJECT = toProjectId('-home-ada-app');
const NAME = 's1.jsonl';

let folder: string;
let source: string;
let archive: Archive;
let copy: string;
const absorb = (mode: OriginalsMode = 'copy', from = source) =>
  archive.originals.absorb(PROJECT, NAME, { path: from }, mode);
const held = () => readFile(copy, 'utf8');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepsake-originals-'));
  source = join(folder, 'source.jsonl');
  archive = openArchive(join(folder, 'archive'), { now: () => '2026-01-01T00:00:00.000Z' });
  copy = archive.originals.path(PROJECT, NAME);
});
afterEach(async () => {
  await archive.close();
  await rm(folder, { recursive: true });
});

describe('a copy', () => {
  test('of any sequence of growing, truncating and replacing holds every whole line there ever was, once', async () => {
    const line = fc.oneof(
      fc.nat(12).map((n) => `{"uuid":"${n}"}`),
      fc.nat(5).map((n) => `plain ${n}`),
    );
    const step = fc.record({
      how: fc.constantFrom('grow', 'truncate', 'replace', 'again'),
      lines: fc.uniqueArray(line, { maxLength: 4 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const name = `run${run++}.jsonl`;
        let now: string[] = [];
        const ever = new Set<string>();
        let before = '';
        for (const { how, lines } of steps) {
          if (how === 'grow') now = [...new Set([...now, ...lines])];
          if (how === 'truncate') now = now.slice(0, now.length >> 1);
          if (how === 'replace') now = lines;
          for (const each of now) ever.add(each);
          await writeFile(source, now.map((each) => `${each}\n`).join(''));
          const absorbed = await archive.originals.absorb(PROJECT, name, { path: source }, 'copy');
          const after = await readFile(archive.originals.path(PROJECT, name), 'utf8');
          expect(absorbed).toMatchObject({ before: before.length, after: after.length });
          expect(after.startsWith(before)).toBe(true);
          before = after;
        }
        expect(before.split('\n').slice(0, -1).sort()).toEqual([...ever].sort());
      }),
      { numRuns: 60 },
    );
  });

  test('longer than a megabyte still notices that the source was replaced', async () => {
    const long = Array.from(
      { length: 30_000 },
      (_, n) => `{"uuid":"${n}","text":"${'x'.repeat(60)}"}\n`,
    ).join('');
    await writeFile(source, long);
    expect((await absorb()).status).toBe('new');
    await writeFile(source, `${long}{"uuid":"more"}\n`);
    expect((await absorb()).status).toBe('grown');
    await writeFile(source, `{"uuid":"other"}\n${long}`);
    expect((await absorb()).status).toBe('replaced');
    expect(await held()).toBe(`${long}{"uuid":"more"}\n{"uuid":"other"}\n`);
  });

  test.each(['again', 'replaced'] as const)(
    'longer than a megabyte notices a change in its middle (%s)',
    async (how) => {
      const lines = Array.from({ length: 30_000 }, (_, n) => `{"uuid":"${n}","text":"${'x'.repeat(60)}"}\n`);
      await writeFile(source, lines.join(''));
      await absorb();
      const seen = await stat(source);
      const before = await held();
      lines[15_000] = `{"uuid":"other","text":"${'y'.repeat(56 + 4)}"}\n`;
      if (how === 'replaced') {
        // Longer, too, but another file.
        await writeFile(join(folder, 'new'), `${lines.join('')}{"uuid":"more"}\n`);
        await rename(join(folder, 'new'), source);
      } else await writeFile(source, lines.join(''));
      await utimes(source, 1, 1);
      expect((await archive.originals.absorb(PROJECT, NAME, { path: source, seen }, 'copy')).status).toBe(
        'replaced',
      );
      expect(await held()).toBe(`${before}${lines[15_000]}${how === 'replaced' ? '{"uuid":"more"}\n' : ''}`);
    },
  );

  test('longer than a megabyte whose source only grew is compared at its ends', async () => {
    await writeFile(source, `a line of ${'x'.repeat(200)}\n`.repeat(10_000));
    await absorb();
    const seen = await stat(source);
    const damaged = Buffer.from(await held());
    damaged[1_000_000] = 1;
    await writeFile(copy, damaged);
    await appendFile(source, 'more\n');
    expect((await archive.originals.absorb(PROJECT, NAME, { path: source, seen }, 'copy')).status).toBe(
      'grown',
    );
    expect((await absorb()).status).not.toBe('grown');
  });

  test('merges a line too long to be held in memory by its content', async () => {
    const huge = `{"uuid":"h","text":"${'x'.repeat(9 << 20)}"}\n`;
    await writeFile(source, `{"uuid":"1"}\n${huge}`);
    await absorb();
    await writeFile(source, `${huge}{"uuid":"2"}\n${huge.replace('"h"', '"i"')}`);
    expect((await absorb()).status).toBe('replaced');
    expect((await held()).length).toBe(13 + huge.length + 13 + huge.length);
    expect((await absorb()).status).toBe('same');
  });

  test('that a crash left half done is finished', async () => {
    await writeFile(source, 'one\ntwo\nthree\n');
    await absorb();
    await writeFile(copy, 'one\ntw');
    expect(await absorb()).toEqual({ status: 'grown', before: 6, after: 14 });
    expect(await held()).toBe('one\ntwo\nthree\n');
  });

  test('made by many at once is whole', async () => {
    await writeFile(source, 'line\n'.repeat(100_000));
    await Promise.all(Array.from({ length: 8 }, () => absorb()));
    expect(await held()).toBe('line\n'.repeat(100_000));
  });

  test('of two sources with one id at once holds every line of both', async () => {
    const lines = (who: string) =>
      Array.from({ length: 12_000 }, (_, n) => `{"uuid":"${who}${n}","text":"${'x'.repeat(300)}"}\n`);
    const [one, other] = [lines('one'), lines('other')];
    await writeFile(source, one.join(''));
    await writeFile(join(folder, 'second'), other.join(''));
    await Promise.all([absorb(), absorb('copy', join(folder, 'second')), absorb()]);
    const whole = new Set((await held()).split('\n'));
    expect([...one, ...other].filter((line) => !whole.has(line.trimEnd()))).toEqual([]);
  });

  test('is private, and the source stays as it was', async () => {
    await writeFile(source, 'a\n', { mode: 0o644 });
    const before = await stat(source);
    await absorb();
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    expect((await stat(join(copy, '..'))).mode & 0o777).toBe(0o700);
    const { mode, mtimeMs, nlink } = await stat(source);
    expect({ mode, mtimeMs, nlink }).toEqual({ mode: before.mode, mtimeMs: before.mtimeMs, nlink: 1 });
  });

  test('is never written through a link that someone put in its place', async () => {
    const foreign = join(folder, 'foreign');
    await writeFile(source, 'a\n');
    await absorb();
    for (const put of [symlink, link]) {
      await unlink(copy);
      await writeFile(foreign, 'a\n');
      await put(foreign, copy);
      await writeFile(source, 'a\nb\n');
      await absorb();
      expect(await readFile(foreign, 'utf8')).toBe('a\n');
      expect(await held()).toBe('a\nb\n');
      expect((await lstat(copy)).nlink).toBe(1);
    }
  });

  test('of a folder or of nothing is refused with a sentence', async () => {
    await expect(absorb('copy', folder)).rejects.toMatchObject({ code: 'unreadable' });
    await expect(absorb('copy', join(folder, 'none'))).rejects.toMatchObject({ code: 'not-found' });
    expect(await archive.originals.list(PROJECT)).toEqual([]);
  });
});

describe('mode link', () => {
  test('keeps what was written after the last sync, although the agent deleted its file', async () => {
    await writeFile(source, 'a\n');
    await absorb('link');
    await writeFile(source, 'a\nb\n');
    await unlink(source);
    expect(await absorb('link')).toEqual({ status: 'grown', before: 2, after: 4 });
    expect(await held()).toBe('a\nb\n');
    expect(await archive.originals.list(PROJECT)).toEqual([NAME]);
  });

  test('keeps what the old file got before another took its place', async () => {
    await writeFile(source, '{"uuid":"1"}\n');
    await absorb('link');
    await writeFile(source, '{"uuid":"1"}\n{"uuid":"2"}\n');
    await writeFile(join(folder, 'other'), '{"uuid":"3"}\n');
    await rename(join(folder, 'other'), source);
    await absorb('link');
    expect(await held()).toBe('{"uuid":"1"}\n{"uuid":"2"}\n{"uuid":"3"}\n');
    expect((await stat(`${copy}.link`)).ino).toBe((await stat(source)).ino);
  });
});

describe('mode symlink', () => {
  test('points to the source, and turns into a copy when asked for one', async () => {
    await writeFile(source, 'a\n');
    expect(await absorb('symlink')).toEqual({ status: 'new', before: 0, after: 2 });
    expect((await lstat(copy)).isSymbolicLink()).toBe(true);
    expect((await absorb('symlink')).status).toBe('same');
    await absorb('copy');
    expect((await lstat(copy)).isFile()).toBe(true);
    expect(await held()).toBe('a\n');
    await absorb('symlink');
    expect((await lstat(copy)).isFile()).toBe(true);
  });

  test('merges into a separate copy if a second source has the same id', async () => {
    const second = join(folder, 'second.jsonl');
    await writeFile(source, '{"uuid":"1"}\n');
    await writeFile(second, '{"uuid":"2"}\n');
    await absorb('symlink');
    await absorb('symlink', second);
    expect(await held()).toBe('{"uuid":"1"}\n{"uuid":"2"}\n');
    expect(await readFile(source, 'utf8')).toBe('{"uuid":"1"}\n');
  });

  test('follows the source to a new place when the old one is gone', async () => {
    await writeFile(source, 'a\n');
    await absorb('symlink');
    await rename(source, join(folder, 'moved'));
    expect((await archive.inspect()).some(({ message }) => message.includes('no longer exists'))).toBe(true);
    await absorb('symlink', join(folder, 'moved'));
    expect(await held()).toBe('a\n');
  });
});
