import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { openArchive } from '../adapters/archive-fs/open-archive.ts';
import { CONFIG_DEFAULTS } from '../core/model/config-defaults.ts';
import { readEnvironment } from './environment.ts';
import { settingsFile } from './settings-file.ts';
import { readTerminalVariables } from './terminal-variables.ts';
import { VERSION } from './version.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('without a file every setting is its default', async () => {
  const { config, sources, warnings } = await settingsFile(join(folder, 'none')).resolve();
  expect(config).toEqual(CONFIG_DEFAULTS);
  expect([sources.size, warnings.length]).toEqual([0, 0]);
});

test('a flag beats the project, the project beats the file, the file beats the default', async () => {
  writeFileSync(join(folder, 'config.json'), '{"levels": {"light": 5, "moderate": 11, "aggressive": 31}}');
  const settings = settingsFile(folder);
  const { config, sources } = await settings.resolve(
    { levels: { light: 6, moderate: 12 } },
    { 'levels.light': 7 },
  );
  expect(config.levels).toEqual({ light: 7, moderate: 12, aggressive: 31 });
  expect([...sources]).toEqual([
    ['levels.light', 'flag'],
    ['levels.moderate', 'project'],
    ['levels.aggressive', 'global'],
  ]);
});

test('unknown keys are warned about and survive a change of another key', async () => {
  writeFileSync(join(folder, 'config.json'), '{"future": {"x": [1]}, "__proto__": {"a": 1}}');
  const settings = settingsFile(folder);
  const { warnings } = await settings.resolve();
  expect(warnings.some((warning) => warning.includes('future.x'))).toBe(true);
  await settings.writeGlobal((values) => ({ ...values, ui: { defaultView: 'list' } }));
  const written = readFileSync(join(folder, 'config.json'), 'utf8');
  expect(written).toContain('"future"');
  expect((await settings.resolve()).config.ui.defaultView).toBe('list');
});

test('a wrong value is a fault that names the key and what was expected', async () => {
  writeFileSync(join(folder, 'config.json'), '{"levels": {"light": "four"}}');
  await expect(settingsFile(folder).resolve()).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('levels.light is "four", expected a number'),
  });
});

test('a broken file is never overwritten', async () => {
  const file = join(folder, 'config.json');
  writeFileSync(file, '{"levels": ');
  await expect(settingsFile(folder).writeGlobal((values) => values)).rejects.toMatchObject({
    code: 'config',
  });
  expect(readFileSync(file, 'utf8')).toBe('{"levels": ');
});

test('a change is refused when another value is wrong, and then nothing is written', async () => {
  const file = join(folder, 'config.json');
  writeFileSync(file, '{"levels": {"light": "x"}}');
  const change = settingsFile(folder).writeGlobal((values) => ({ ...values, ui: { defaultView: 'list' } }));
  await expect(change).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining('levels.light'),
  });
  expect(readFileSync(file, 'utf8')).toBe('{"levels": {"light": "x"}}');
});

test('of many changes at once, by many writers, every one stays', async () => {
  const open = () => openArchive(folder, { now: () => '2026-01-01T00:00:00.000Z' });
  const archives = Array.from({ length: 8 }, open);
  await Promise.all(
    archives.map((archive, n) =>
      settingsFile(folder, archive.exclusive).writeGlobal((values) => ({ ...values, [`key${n}`]: n })),
    ),
  );
  expect(Object.keys(await settingsFile(folder).readGlobal())).toHaveLength(8);
  for (const archive of archives) await archive.close();
});

test('what a killed writer left is swept from the archive', async () => {
  const temp = join(folder, `.tmp-${'a'.repeat(16)}-config.json`);
  writeFileSync(temp, '{}');
  const at = (ms: number) => openArchive(folder, { now: () => new Date(ms).toISOString() });
  const { ctimeMs } = statSync(temp);
  expect(await at(ctimeMs + 1000).sweep()).toEqual([]);
  expect(await at(ctimeMs + 3_700_000).sweep()).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('a written file is private and leaves no temp file behind', async () => {
  const archive = join(folder, 'made');
  await settingsFile(archive).writeGlobal(() => ({ levels: { light: 5 } }));
  expect(readdirSync(archive)).toEqual(['config.json']);
  expect(statSync(join(archive, 'config.json')).mode & 0o777).toBe(0o600);
  expect(statSync(archive).mode & 0o777).toBe(0o700);
});

test('the environment says where files are and whether to use color', () => {
  const plain = readEnvironment({ HOME: '/home/a' }, '/srv');
  expect([plain.archive, plain.claude]).toEqual(['/home/a/.claude-memory', '/home/a/.claude']);
  const set = readEnvironment(
    { HOME: '/home/a', CLAUDE_MEMORY_DIR: 'mem', CLAUDE_CONFIG_DIR: '~/cc' },
    '/srv',
  );
  expect([set.archive, set.claude]).toEqual(['/srv/mem', '/home/a/cc']);
  expect(readTerminalVariables({}).color).toBeUndefined();
  expect(readTerminalVariables({ FORCE_COLOR: '1' }).color).toBe(true);
  expect(readTerminalVariables({ NO_COLOR: '1', FORCE_COLOR: '1' }).color).toBe(false);
  expect(readTerminalVariables({ TERM: 'dumb' }).color).toBe(false);
});

test('the version in the code is the version of the package', () => {
  expect(VERSION).toBe(packageJson.version);
});
