import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDatabase } from './read-database.ts';

/** A program that has the database open in the middle of a change, and ends it when it is told to. */
const WRITER = `
const { DatabaseSync } = require('node:sqlite');
const [path, mode] = process.argv.slice(1);
const database = new DatabaseSync(path);
database.exec('pragma journal_mode = ' + mode + '; pragma cache_spill = 1; pragma cache_size = 5');
database.exec('create table if not exists said (words text)');
database.exec('begin');
for (let at = 0; at < 400; at++) database.prepare('insert into said values (?)').run('first  ' + 'x'.repeat(2000));
database.exec('commit; begin immediate');
// More than its cache holds: pages reach the file before the change is done.
database.exec("update said set words = replace(words, 'first ', 'second')");
console.log('ready');
process.stdin.once('data', () => {
  database.exec('commit');
  console.log('done');
  process.stdin.once('data', () => process.exit(0));
});
`;

let folder: string;
let writer: ChildProcess;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-database-'));
  mkdirSync(join(folder, 'theirs'));
});
afterEach(() => {
  writer.kill();
  rmSync(folder, { recursive: true, force: true });
});

const heard = (word: string) =>
  new Promise<void>((resolve) => {
    writer.stdout?.on('data', (some: Buffer) => {
      if (some.toString().includes(word)) resolve();
    });
  });

/** Every file of theirs. The index of a log belongs to whoever has it open. */
function files(): Record<string, string> {
  const theirs = join(folder, 'theirs');
  return Object.fromEntries(
    readdirSync(theirs).map((name) => [
      name,
      name.endsWith('-shm')
        ? ''
        : createHash('sha256')
            .update(readFileSync(join(theirs, name)))
            .digest('hex'),
    ]),
  );
}

test.each(['wal', 'delete'])(
  'a database that its program writes to (%s) is read as it was committed, without a lock and without a file more',
  async (mode) => {
    const path = join(folder, 'theirs', 'state.db');
    writer = spawn(process.execPath, ['-e', WRITER, path, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
    await heard('ready');
    const count = () =>
      readDatabase(path, join(folder, 'ours'), (database) =>
        Number(database.prepare("select count(*) as many from said where words like 'second%'").get()?.many),
      );
    const before = files();
    expect(Object.keys(before)).toContain(mode === 'wal' ? 'state.db-wal' : 'state.db-journal');
    expect(count()).toBe(0);
    expect(files()).toEqual(before);
    // Its program goes on as if nobody had looked.
    writer.stdin?.write('go on');
    await heard('done');
    const after = files();
    expect(count()).toBe(400);
    expect(files()).toEqual(after);
  },
);
