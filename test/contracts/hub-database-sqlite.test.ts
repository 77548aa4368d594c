import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteHub } from '../../src/adapters/hub-database/open-sqlite-hub.ts';
import { hubDatabaseContract } from './hub-database.ts';

hubDatabaseContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-hub-'));
  const [database, other] = [openSqliteHub(folder), openSqliteHub(folder)];
  return {
    database,
    other,
    dispose: async () => {
      await database.close();
      await other.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

test('nobody else on the machine can read its files, even in a folder that existed before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-hub-'));
  chmodSync(folder, 0o755);
  const database = openSqliteHub(folder);
  try {
    await database.prepare();
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o077);
    expect(modes).toEqual(modes.map(() => 0));
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('deleted content is in no byte of the files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-hub-'));
  const database = openSqliteHub(folder);
  try {
    await database.prepare();
    const text = 'a word that must go';
    await database.addMember({ id: 'm', name: 'anna', addedAt: '', removedAt: null });
    const device = 'd'.repeat(32);
    await database.addToken({
      ...{ hash: 't', member: 'm', device, label: '', createdAt: '', expiresAt: '', revokedAt: null },
    });
    await database.addRepo({ id: 'r', name: '' }, '');
    await database.setRole({ repo: 'r', member: 'm', role: 'writer' });
    const access = { repo: 'r', member: 'm', token: 't', now: '2026' };
    const place = { device, lane: 'log', seq: 1, id: 'i' };
    await database.append(access, place, Buffer.from(text.repeat(1000)), { name: 'anna' });
    const bytes = () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('');
    expect(bytes()).toContain(text);
    await database.remove(access, place);
    expect(bytes()).not.toContain(text);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a database of a newer version is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-hub-'));
  try {
    const database = openSqliteHub(folder);
    await database.prepare();
    await database.close();
    const file = new DatabaseSync(join(folder, 'hub.sqlite'));
    file.exec('pragma user_version = 99');
    file.close();
    const newer = openSqliteHub(folder);
    await expect(newer.prepare()).rejects.toMatchObject({ code: 'newer-version' });
    await newer.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
