import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forPrograms, httpWords } from './http-words.ts';

/** Every hint of a use case, with `x1` for what is put in. */
function hints(): string[] {
  const root = join(import.meta.dirname, '..', '..');
  const files = globSync('{app,core,adapters,config}/**/*.ts', { cwd: root }).filter(
    (it) => !it.endsWith('.test.ts'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = text.matchAll(/hint:\s*(?:[\w.()? ]+[?:] )?('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/g);
    return [...found].map(([, literal = '']) =>
      literal
        .slice(1, -1)
        .replace(/(\w)\$\{[^}]*\}/g, '$1')
        .replace(/\$\{[^}]*\}/g, 'x1')
        .replace(/\\([`'])/g, '$1')
        .replace(/\\n/g, '\n'),
    );
  });
}

/** What has no route, since it belongs to this machine: installing, the page, the hooks, its remotes, a hub, branches of its checkouts. */
const TERMINAL = /keepsake (?:init|install|uninstall|ui|serve|hook|mcp|remote|private|hub|team)\b/;

test('no hint of a use case sends a program to the command line', () => {
  const all = hints();
  expect(all.length).toBeGreaterThan(150);
  const left = all.filter((hint) => {
    const words = httpWords(hint);
    return (
      /(?<![\w-])--[a-z]/.test(words.replace(/`[^`]*`/g, '').replaceAll('claude --resume', '')) ||
      (/\bkeepsake [a-z]/.test(words) && !TERMINAL.test(words))
    );
  });
  expect(left).toEqual([]);
});

test('commands become routes, options become fields', () => {
  const cases = [
    [
      'Say which with --project; `keepsake projects` lists them.',
      'Say which with `project`; `GET /api/memory/projects` lists them.',
    ],
    ['Add --force to put this one in its place.', 'Add `force` to put this one in its place.'],
    ['  --project=-srv-shop  /srv/shop', '  `project=-srv-shop`  /srv/shop'],
    ['--as-of and named versions contradict each other.', '`asOf` and named versions contradict each other.'],
    [
      'Turn it on: keepsake config set model.url http://localhost:11434. Known: x.',
      'Turn it on: `PUT /api/memory/config/model.url` http://localhost:11434. Known: x.',
    ],
    [
      '`keepsake register --all` takes every session.',
      '`POST /api/memory/sessions/batch` takes every session.',
    ],
    ['keepsake sessions lists them.', '`GET /api/memory/sessions` lists them.'],
    ['If it exists: keepsake register /srv/x.jsonl', 'If it exists: `POST /api/memory/sessions`'],
    [
      '`keepsake show 4f2a91c0 --subagents` lists them.',
      '`GET /api/memory/sessions/4f2a91c0/subagents` lists them.',
    ],
    [
      'Change it: keepsake keepit set k_12 0.50',
      'Change it: `PUT /api/memory/sessions/{sessionId}/keepits/k_12` 0.50',
    ],
    ['Go on with: claude --resume 1234', 'Go on with: claude --resume 1234'],
    ['Give another name.', 'Give another name.'],
    ['`keepsake init` does it.', '`keepsake init` does it.'],
  ];
  for (const [text = '', words] of cases) expect(httpWords(text)).toBe(words);
});

test('what a problem quotes stays as it was sent, and choices take the place of a list', () => {
  const sent = {
    detail: 'No session "--force `keepsake sync`" with --project.',
    hint: 'Say which:\n  a  --project=b',
  };
  expect(forPrograms(sent)).toEqual({
    detail: 'No session "--force `keepsake sync`" with `project`.',
    hint: 'Say which:\n  a  `project=b`',
  });
  expect(forPrograms({ ...sent, choices: [{}] }).hint).toMatch(/choices/);
  expect(forPrograms({ detail: 'x' })).toEqual({ detail: 'x' });
});
