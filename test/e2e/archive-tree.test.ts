import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const home = new CliHome();
beforeAll(builtCli);
afterAll(() => home.remove());

/** The names that the tree in ARCHITECTURE.md shows, at this depth. */
function shownAt(indent: number): string[] {
  const [, tree = ''] = /^```\n(\$CLAUDE_MEMORY_DIR[\s\S]*?)^```/m.exec(
    readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'),
  )!;
  const lines = tree.split('\n').filter((line) => line.search(/\S/) === indent);
  return lines.flatMap((line) =>
    line
      .trim()
      .split(/ {3,}/, 1)[0]!
      .split(/ +/)
      .map((name) => name.replace(/\/.*/, '')),
  );
}

test('ARCHITECTURE.md shows every file and folder that an archive has', () => {
  home.ok('sync', '--from', join(ROOT, 'sample', 'projects'));
  const [{ projectId, sessionId }] = home.json('sessions').items;
  home.ok('compress', sessionId);
  home.ok('compose', 'mixed', '--sessions', sessionId, '--budget', '2000');
  home.ok('facts', 'add', 'Never amend commits.', `--project=${projectId}`);
  home.ok('keepit', 'add', sessionId, '--last', '--weight', '0.80');
  home.ok('memory', 'set', 'project', 'A shop.', `--project=${projectId}`);
  const archive = readdirSync(home.archive);
  const project = readdirSync(join(home.archive, 'projects', projectId));
  expect(archive).toEqual(expect.arrayContaining(['projects', 'cache', 'index.sqlite']));
  expect(project).toEqual(expect.arrayContaining(['manifest.json', 'originals', 'summaries', 'composed']));
  expect(archive.filter((name) => !shownAt(2).includes(name))).toEqual([]);
  expect(project.filter((name) => !shownAt(4).includes(name))).toEqual([]);
});
