import { readFileSync, utimesSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const SHOP = '11111111-aaaa-4aaa-8aaa-000000000001';

let home: CliHome;
let file: string;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  file = home.session('/home/me/shop', SHOP, [
    {
      you: 'Add a basket. ##keepit0.80## Prices are kept in cents.',
      agent: 'Done, with a \u001b[31mtest\u001b[0m.',
    },
  ]);
  utimesSync(file, 1_700_000_000, 1_700_000_000);
  home.ok('sync');
});
afterEach(() => home.remove());

test('keepits are added, reweighed, listed and removed on the command line', () => {
  const answer = home.run(['keepit', 'add', '1111', '--text', 'Add a basket.', '--weight', 'pinned']);
  expect(answer.stderr).toMatch(/Undo: keepsake keepit remove k_/);
  const [pinned, price] = home.json('keepits', SHOP).items;
  expect([pinned.preset, pinned.added, price.weight]).toEqual(['pinned', true, 0.8]);
  expect(home.json('keepit', 'set', price.markerId, '0.5')).toMatchObject({
    weight: 0.5,
    changed: true,
    writtenWeight: 0.8,
  });
  home.ok('keepit', 'remove', pinned.markerId);
  expect(home.ok('keepits')).toMatch(
    /0\.50 +notable +user +11111111 +shop +was 0\.80 +Prices are kept in cents\.\n$/,
  );
  expect(home.ok('show', SHOP, '--keepits')).toMatch(/^0\.50 .*Prices/);
  expect(home.ok('keepits', '--removed')).toContain('Add a basket.');
  expect(home.ok('history')).toContain('No longer kept');
  expect(home.ok('keepit', 'add', '1111', '--last', '--weight', '0.9')).not.toContain('\u001b');
});

test('a weight of 1.5 is an error that explains weights', () => {
  const { status, stderr } = home.run(['keepit', 'add', '1111', '--last', '--weight', '1.5']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('between 0.00 and 1.00')]);
  expect(home.run(['keepit', 'set', 'k_00', '1']).status).toBe(3);
});

test('the marker in the file itself is edited on request', () => {
  const before = readFileSync(file, 'utf8');
  const [{ markerId }] = home.json('keepits').items;
  const shown = home.ok('keepit', 'set', markerId, '0.25', '--write-original');
  expect(shown).toContain(`Edited: ${file}`);
  expect(readFileSync(file, 'utf8')).toBe(before.replace('keepit0.80', 'keepit0.25'));
  expect(home.ok('show', SHOP, '--raw')).toBe(before);
});

test('a preview of decay: a table, and for programs exactly the documented fields', () => {
  const { threshold, markers, ...rest } = home.json(
    'decay',
    'preview',
    '1111',
    '--ratio',
    '30',
    '--distance',
    '10',
  );
  expect([threshold, rest]).toEqual([0.8, {}]);
  expect(markers).toMatchObject([{ weight: 0.8, survives: true, verdict: 'BARELY SURVIVES' }]);
  expect(home.ok('decay', 'preview', '1111')).toMatch(
    /10 +SURVIVES +SURVIVES +SURVIVES +BARELY SURVIVES +SUMMARIZED\n$/,
  );
  expect(home.ok('decay', 'preview', '--project', 'shop', '--ratio', '15:1')).toContain(
    '0.30 + 15/100 x 1/10 = 0.315',
  );
  for (const wrong of [
    ['--ratio', '0'],
    ['--distance', '-1'],
    ['--aggressiveness', 'wild'],
  ])
    expect(home.run(['decay', 'preview', '1111', ...wrong]).status).toBe(2);
});
