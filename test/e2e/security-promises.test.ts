import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const TEXT = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');

test('every promise of SECURITY.md names existing tests and benchmarks', () => {
  const [, table = ''] = /## Promises[^\n]*\n\n([\s\S]*?)\n\n/.exec(TEXT) ?? [];
  const rows = table.split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(10);
  const benches = readFileSync(join(ROOT, 'bench', 'run.ts'), 'utf8');
  for (const row of rows) {
    const tests = [...row.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path]) => path!);
    expect(tests, row).not.toEqual([]);
    for (const path of tests) expect(existsSync(join(ROOT, path)), path).toBe(true);
    for (const [, name] of row.matchAll(/bench -- (\w+)/g)) expect(benches).toContain(`${name}: {`);
  }
});
