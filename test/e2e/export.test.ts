import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WRITERS } from '../made/agent-sessions.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

let from: CliHome;
let to: CliHome;
let bundle: string;

beforeAll(builtCli);
beforeAll(() => {
  [from, to] = [new CliHome(), new CliHome()];
  bundle = join(from.path, 'all.keepsake.gz');
  from.session('/srv/shop', 'one', [{ you: 'Why is the basket empty?', agent: 'It is never filled.' }]);
  const rollout = join(from.path, '.codex', 'sessions', '2026', '01', '05', 'rollout-made.jsonl');
  mkdirSync(dirname(rollout), { recursive: true });
  const lines = WRITERS.codex([{ kind: 'ask', text: 'Fill the basket at the start.' }]);
  writeFileSync(rollout, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  from.ok('sync');
});
afterAll(() => {
  for (const home of [from, to]) home.remove();
});

describe('memory in one file', () => {
  test('moves from one machine to another, with the sessions of every agent', () => {
    expect(from.ok('export', '--all', '--out', bundle)).toContain('1 project, 2 sessions');
    expect(from.run(['export', '--all', '--out', bundle])).toMatchObject({ status: 5 });
    expect(to.ok('import', bundle)).toContain('shop (new)');
    const { items } = to.json('sessions');
    expect(items.map((row: { metadata: { agent: string } }) => row.metadata.agent).sort()).toEqual([
      'claude-code',
      'codex',
    ]);
    expect(to.ok('search', 'basket')).toContain('Fill the basket');
    const renamed = join(to.path, 'old laptop.bin');
    copyFileSync(bundle, renamed);
    expect(to.ok('import', renamed, '--dry-run')).toContain('Would import');
    expect(to.run(['import', '/nope'])).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('No such file or folder: /nope.'),
    });
  });

  test('is refused if it is damaged, with an error and exit status of its own', () => {
    const bad = join(to.path, 'bad.keepsake.gz');
    writeFileSync(bad, readFileSync(bundle).subarray(0, 200));
    expect(to.run(['import', bad])).toMatchObject({
      status: 65,
      stderr: expect.stringContaining('is incomplete'),
    });
    expect(to.run(['import', join(to.path, 'none.keepsake.gz')])).toMatchObject({ status: 3 });
    expect(to.run(['import', to.path])).toMatchObject({ status: 65 });
  });
});
