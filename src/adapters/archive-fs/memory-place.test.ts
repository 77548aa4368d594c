import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newProjectChange } from '../../core/model/change.ts';
import { toProjectId } from '../../core/model/ids.ts';
import type { Archive } from '../../ports/archive.ts';
import { placeFile } from './memory-place.ts';
import { openArchive } from './open-archive.ts';

const PROJECT = toProjectId('-app');
let folder: string;
let app: string;
let placed: string;
let archive: Archive;

const open = () => openArchive(join(folder, 'archive'), { now: () => '2026-01-01T00:00:00.000Z' });
const own = (name: string) => join(folder, 'archive', 'projects', PROJECT, 'memory', name);
const read = async (name: string) => String((await archive.files.read(PROJECT, `memory/${name}`)) ?? '-');

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-place-'));
  app = join(folder, 'app');
  placed = join(app, '.claude', 'memory');
  mkdirSync(app);
  archive = open();
  const project = { projectId: PROJECT, originalPath: app, displayName: 'app', createdAt: 't' };
  await archive.change(PROJECT, [newProjectChange(project)]);
  await archive.files.write(PROJECT, 'memory/memory.md', 'one');
  await archive.files.write(PROJECT, 'memory/sessions/a.l1.jsonl', 'line\n');
});
afterEach(async () => {
  await archive.close();
  rmSync(folder, { recursive: true });
});

/** As a kill at that point leaves it. */
function state(value: string): void {
  const file = placeFile(join(folder, 'archive'), PROJECT);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), state: value }));
}

test('git ignores the sessions, and the mark that this archive made the folder', async () => {
  await archive.places.enter(PROJECT, app);
  expect(readFileSync(join(placed, '.gitignore'), 'utf8').split('\n')).toEqual(
    expect.arrayContaining(['sessions/', 'logs/', '.keepsake']),
  );
  expect(existsSync(own('memory.md'))).toBe(false);
  expect(readdirSync(placed).sort()).toEqual(['.gitignore', '.keepsake', 'memory.md', 'sessions']);
});

test.skipIf(process.platform === 'win32')("permissions there are the user's own", async () => {
  const before = process.umask(0o027);
  try {
    await archive.places.enter(PROJECT, app);
    await archive.files.write(PROJECT, 'memory/new/x.md', 'x');
    await archive.files.writeAt(PROJECT, 'memory/new/y', 0, 'y');
  } finally {
    process.umask(before);
  }
  const mode = (name: string) => statSync(join(placed, name)).mode & 0o777;
  expect(['memory.md', 'new', 'new/x.md', 'new/y'].map(mode)).toEqual([0o640, 0o750, 0o640, 0o640]);
});

test('leaving deletes what was made there, and nothing else', async () => {
  mkdirSync(join(app, '.claude'));
  writeFileSync(join(app, '.claude', 'settings.json'), '{}');
  await archive.places.enter(PROJECT, app);
  await archive.places.leave(PROJECT);
  expect(readdirSync(join(app, '.claude'))).toEqual(['settings.json']);
  await archive.places.enter(PROJECT, app);
  rmSync(join(app, '.claude', 'settings.json'));
  await archive.places.leave(PROJECT);
  expect(readdirSync(app)).toEqual([]);
  expect([await read('memory.md'), statSync(own('memory.md')).mode & 0o777]).toEqual(['one', 0o600]);
});

test('a move into the project that was cut off is used from the archive, and done again', async () => {
  await archive.places.enter(PROJECT, app);
  state('entering');
  // Nothing is removed from the archive before the project's folder is the one in use.
  mkdirSync(own('sessions'), { recursive: true });
  writeFileSync(own('sessions/a.l1.jsonl'), 'line\n');
  writeFileSync(own('memory.md'), 'one and more');
  expect(archive.places.where(PROJECT)).toMatchObject({ kind: 'archive', unfinished: 'in' });
  expect(await read('memory.md')).toBe('one and more');
  const findings = await archive.inspect();
  expect(findings.find((it) => it.message.includes('interrupted'))?.hint).toContain('keepsake init');
  await archive.places.enter(PROJECT, app);
  expect([await read('memory.md'), await read('sessions/a.l1.jsonl')]).toEqual(['one and more', 'line\n']);
  expect(existsSync(own('memory.md'))).toBe(false);
});

test.each(['leaving', 'out'])('a move back that was cut off (%s) is done again', async (cut) => {
  await archive.places.enter(PROJECT, app);
  mkdirSync(own('sessions'), { recursive: true });
  writeFileSync(own('memory.md'), 'one');
  // The archive's folder has everything before it is the one in use.
  if (cut === 'out') writeFileSync(own('sessions/a.l1.jsonl'), 'line\n');
  state(cut);
  expect(await read('memory.md')).toBe('one');
  expect(archive.places.where(PROJECT).unfinished).toBe('out');
  await archive.places.leave(PROJECT);
  expect(archive.places.where(PROJECT)).toEqual({ kind: 'archive', folder: own('.').replace(/\/$/, '') });
  expect(await read('sessions/a.l1.jsonl')).toBe('line\n');
  expect(existsSync(placed)).toBe(false);
});

test('what was written after a move was cut off counts, and the copy that the move left is kept aside', async () => {
  await archive.places.enter(PROJECT, app);
  state('entering');
  writeFileSync(join(placed, 'project.md'), 'A shop with 5 shelves.');
  await archive.files.write(PROJECT, 'memory/project.md', 'A shop with 130 shelves.');
  const { aside } = await archive.places.enter(PROJECT, app);
  expect([await read('project.md'), aside]).toEqual([
    'A shop with 130 shelves.',
    ['aside/20260101_000000/project.md'],
  ]);
  expect(readFileSync(join(own('..'), aside[0]!), 'utf8')).toBe('A shop with 5 shelves.');
  // The same on the way out: the project's folder is the one in use until then.
  mkdirSync(own('.'), { recursive: true });
  writeFileSync(own('project.md'), 'A shop with 7 shelves.');
  state('leaving');
  await archive.places.leave(PROJECT);
  expect([await read('project.md'), archive.places.where(PROJECT).kind]).toEqual([
    'A shop with 130 shelves.',
    'archive',
  ]);
});

test('a move into the project that was cut off is taken back: what was written in the archive since counts', async () => {
  await archive.places.enter(PROJECT, app);
  await archive.places.leave(PROJECT);
  // Cut off after its copies: they lie in the project, and the archive's folder is in use.
  mkdirSync(join(placed, 'sessions'), { recursive: true });
  const { id } = JSON.parse(readFileSync(placeFile(join(folder, 'archive'), PROJECT), 'utf8'));
  writeFileSync(join(placed, '.keepsake'), `${id}\n`);
  writeFileSync(join(placed, 'memory.md'), 'one, and much longer than what is there now');
  writeFileSync(join(placed, 'notes.md'), 'removed since');
  writeFileSync(join(placed, 'sessions', 'a.l1.jsonl'), 'line\nan older and longer form\n');
  writeFileSync(join(placed, 'sessions', 'purged.l1.jsonl'), 'purged\n');
  state('entering');
  await archive.files.write(PROJECT, 'memory/memory.md', 'two');
  const { aside } = await archive.places.leave(PROJECT);
  expect([await read('memory.md'), await read('sessions/a.l1.jsonl')]).toEqual(['two', 'line\n']);
  expect(await read('sessions/purged.l1.jsonl')).toBe('-');
  expect(aside.map((name) => name.replace(/^aside\/\w+\//, '')).sort()).toEqual([
    'memory.md',
    'notes.md',
    'sessions/a.l1.jsonl',
  ]);
  expect(existsSync(placed)).toBe(false);
});

test('a move back that was cut off is taken back: what was written in the project since counts', async () => {
  await archive.places.enter(PROJECT, app);
  mkdirSync(own('sessions'), { recursive: true });
  writeFileSync(own('memory.md'), 'one, and much longer than what is there now');
  writeFileSync(own('sessions/a.l1.jsonl'), 'line\nan older and longer form\n');
  writeFileSync(own('sessions/purged.l1.jsonl'), 'purged\n');
  state('leaving');
  await archive.files.write(PROJECT, 'memory/memory.md', 'two');
  expect(readFileSync(join(placed, 'memory.md'), 'utf8')).toBe('two');
  const { aside } = await archive.places.enter(PROJECT, app);
  expect(archive.places.where(PROJECT).kind).toBe('project');
  expect([await read('memory.md'), await read('sessions/a.l1.jsonl')]).toEqual(['two', 'line\n']);
  expect(await read('sessions/purged.l1.jsonl')).toBe('-');
  expect(aside).toHaveLength(2);
  expect(existsSync(own('memory.md'))).toBe(false);
});

test('two that differ are both kept: the second memory becomes an archive of the first', async () => {
  mkdirSync(placed, { recursive: true });
  writeFileSync(join(placed, 'memory.md'), 'theirs');
  writeFileSync(join(placed, 'project.md'), 'their project');
  await archive.files.write(PROJECT, 'memory/project.md', 'our project');
  const { hash } = await archive.places.inspect(PROJECT, app);
  const { aside } = await archive.places.enter(PROJECT, app, hash);
  expect(aside).toEqual(['memory/memory_20260101_000000.md', 'aside/20260101_000000/project.md']);
  expect([await read('memory.md'), await read('memory_20260101_000000.md')]).toEqual(['theirs', 'one']);
  expect(await read('project.md')).toBe('their project');
  expect(String(await archive.files.read(PROJECT, 'aside/20260101_000000/project.md'))).toBe('our project');
});

test('a folder that a new clone brought in the old place is not trusted, and another process sees it at once', async () => {
  await archive.places.enter(PROJECT, app);
  rmSync(app, { recursive: true });
  expect(archive.places.where(PROJECT).trouble).toContain('does not exist');
  expect(await read('memory.md')).toBe('-');
  mkdirSync(placed, { recursive: true });
  writeFileSync(join(placed, 'memory.md'), 'planted');
  expect(archive.places.where(PROJECT).trouble).toContain('not created by this archive');
  expect(await read('memory.md')).toBe('-');
  const other = open();
  await other.places.enter(PROJECT, app, (await other.places.inspect(PROJECT, app)).hash);
  await other.close();
  expect(await read('memory.md')).toBe('planted');
});

test('a link out of the project is refused at every level', async () => {
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'secret');
  mkdirSync(join(app, '.claude'));
  symlinkSync(outside, placed);
  const conflict = { code: 'conflict' };
  await expect(archive.places.enter(PROJECT, app)).rejects.toMatchObject(conflict);
  rmSync(placed);
  await archive.places.enter(PROJECT, app);
  symlinkSync(join(outside, 'secret'), join(placed, 'project.md'));
  symlinkSync(outside, join(placed, 'logs'));
  await expect(archive.files.read(PROJECT, 'memory/project.md')).rejects.toMatchObject(conflict);
  await expect(archive.files.write(PROJECT, 'memory/logs/x', 'x')).rejects.toMatchObject(conflict);
  expect((await archive.inspect()).filter((it) => it.message.includes('is a symlink'))).toHaveLength(2);
  rmSync(join(placed, 'logs'));
  rmSync(join(placed, 'project.md'));
  await archive.places.enter(PROJECT, app);
  rmSync(placed, { recursive: true });
  symlinkSync(outside, placed);
  await archive.files.write(PROJECT, 'memory/x.md', 'x');
  expect(readdirSync(outside)).toEqual(['secret']);
});

test('what is removed is gone from both places', async () => {
  await archive.places.enter(PROJECT, app);
  mkdirSync(own('sessions'), { recursive: true });
  writeFileSync(own('sessions/a.l1.jsonl'), 'line\n');
  await archive.files.remove(PROJECT, 'memory/sessions/a.l1.jsonl');
  expect([existsSync(own('sessions/a.l1.jsonl')), await read('sessions/a.l1.jsonl')]).toEqual([false, '-']);
});

test('a removed project leaves its own notes to the user', async () => {
  await archive.files.write(PROJECT, 'memory/project.md', 'mine');
  await archive.places.enter(PROJECT, app);
  await archive.removeProject(PROJECT);
  expect(readdirSync(placed)).toEqual(['project.md']);
});

test('what a killed writer left there is swept after an hour', async () => {
  await archive.places.enter(PROJECT, app);
  const temp = join(placed, `.tmp-${'a'.repeat(16)}-memory.md`);
  writeFileSync(temp, 'x');
  const later = openArchive(join(folder, 'archive'), {
    now: () => new Date(statSync(temp).ctimeMs + 3_700_000).toISOString(),
  });
  expect(await archive.sweep()).toEqual([]);
  expect(await later.sweep()).toEqual([temp]);
});
