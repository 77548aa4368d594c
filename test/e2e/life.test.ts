import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtCli, LAUNCHER } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const SHOP = '11111111-aaaa-4aaa-8aaa-000000000001';
const SECRET = 'tr0ub4dor & 3 "horses"';

let home: CliHome;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  home.session('/home/me/shop', SHOP, [
    {
      you: 'Add a basket, please.',
      // Nothing says that it is a secret: it is not masked by itself.
      agent: `Done. At the door we say ${SECRET} now, and all is well in the shop.`,
    },
  ]);
  home.ok('sync');
});
afterEach(() => home.remove());

/** Every file below the archive with a piece of the secret in it, whatever its format. */
const holding = () =>
  readdirSync(home.archive, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'latin1').includes('tr0ub4dor'));

test('a secret from stdin is purged with proof, and there is no question where nobody can answer', () => {
  home.ok('search', 'door');
  expect(holding().length).toBeGreaterThan(2);
  const refused = home.run(['purge', '--text', SECRET]);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('Add --yes')]);
  const { stdout, status } = spawnSync(process.execPath, [LAUNCHER, 'purge', '--secret', '--yes'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home.path },
    input: `${SECRET}\n`,
  });
  expect([status, stdout]).toEqual([0, expect.stringContaining('0 places left')]);
  expect(stdout).not.toContain('tr0ub4dor');
  expect(holding()).toEqual([]);
  home.ok('sync');
  expect(home.json('search', 'basket').items.length).toBeGreaterThan(0);
  expect(holding()).toEqual([]);
});

test('retention compresses a session on the command line, and undo reverts it', () => {
  expect(home.ok('decay', 'run', '--dry-run')).toMatch(/make +11111111 +part1 aggressive/);
  expect(home.run(['decay', 'run']).status).toBe(2);
  expect(home.ok('decay', 'run', '--yes')).toContain('1 version made, 0 deleted');
  expect(home.ok('stats')).toContain('tiered aggressive (1)');
  expect(home.ok('decay', 'schedule', 'weekly')).toMatch(/schedule +weekly/);
  expect(home.json('decay', 'undo').removed).toHaveLength(1);
  expect(home.json('stats', SHOP)).toMatchObject({ scope: 'session', messages: 2, tokens: { versions: 0 } });
});
