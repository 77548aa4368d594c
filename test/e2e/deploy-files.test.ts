import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchedPackage } from '../made/fetched-package.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');

/** No engine runs here: linters look at the files. */
function lint(program: string, args: string[]): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, printed: `${stdout}${stderr}` };
}

test('the Dockerfile of the hub passes its linter', () => {
  const program = join(fetchedPackage('dockerfilelint', '1.8.0'), 'bin', 'dockerfilelint');
  const { printed } = lint(program, ['-o', 'json', join(DEPLOY, 'Dockerfile')]);
  expect(JSON.parse(printed)).toMatchObject({ totalIssues: 0 });
  const text = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8');
  expect(text).toMatch(/^USER node$/m);
});

test('the compose file passes its linter without a warning, and opens no port beyond the machine', () => {
  const program = join(fetchedPackage('dclint', '3.1.0'), 'bin', 'dclint.cjs');
  const file = join(DEPLOY, 'compose.yaml');
  expect(lint(program, ['--max-warnings', '0', file])).toMatchObject({ status: 0 });
  const ports = [...readFileSync(file, 'utf8').matchAll(/["']?((?:[\d.]+:)?\d+:\d+)["']?$/gm)].map(
    ([, it]) => it,
  );
  expect(ports).toEqual(['127.0.0.1:4747:4747']);
});
