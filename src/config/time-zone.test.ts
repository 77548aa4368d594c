import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { timeZone } from './time-zone.ts';

const intl = Intl.DateTimeFormat().resolvedOptions().timeZone;

it.each(['Europe/Zurich', 'America/Argentina/Ushuaia', 'UTC', 'Etc/UTC'])(
  'says what Node takes for TZ=%s',
  (zone) => {
    const code = 'process.stdout.write(Intl.DateTimeFormat().resolvedOptions().timeZone)';
    const { stdout } = spawnSync(process.execPath, ['-e', code], { env: { TZ: zone }, encoding: 'utf8' });
    expect(timeZone({ TZ: zone })).toBe(stdout);
  },
);

it.each(['Nowhere/Land', 'CET-1CEST', '../../etc/passwd', ''])(
  'asks Intl where TZ=%s names no zone',
  (zone) => {
    expect(timeZone({ TZ: zone })).toBe(intl);
  },
);

it("reads the system's link, and asks Intl where it names no zone", () => {
  const folder = mkdtempSync(join(tmpdir(), 'zone-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const link = (name: string, target: string) => {
    symlinkSync(target, join(folder, name));
    return timeZone({}, join(folder, name));
  };
  expect(link('a', '/usr/share/zoneinfo/Etc/UTC')).toBe('UTC');
  expect(link('b', '../usr/share/zoneinfo/No/Where')).toBe(intl);
  expect(link('c', '/elsewhere')).toBe(intl);
  expect(timeZone({}, join(folder, 'missing'))).toBe(intl);
});
