import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exportedNames, wordsOfName } from '../made/exported-names.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The page can't import these: it has the same thing in the form that the API gives it, or builds it. */
const THE_SAME_ON_THE_PAGE = new Set(
  `BriefSession Choice DiffLine Exchange Fact Finding Job Keepit KeepitVerdict OUTPUT_FORMATS OutputFormat STRATEGIES
   SessionRow Setting Strategy VersionList presetOf projectNames titleOf`.split(/\s+/),
);
/** They say nothing of what a thing is. */
const VAGUE = new Set(
  'told tell tells telling untold stand stands standing says look looks given anew'.split(' '),
);
/** `look up` is a verb of the trade. */
const PLAIN = /look_?up/i;

function sources(): Map<string, string> {
  const git = spawnSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z', 'src', 'ui/src'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(git.status, git.stderr).toBe(0);
  const paths = git.stdout
    .split('\0')
    .filter((path) => /(?<!\.test)\.(ts|vue)$/.test(path) && existsSync(join(ROOT, path)));
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

type Places = ReadonlyMap<string, string[]>;

function placesOfNames(files: ReadonlyMap<string, string>): Places {
  const places = new Map<string, string[]>();
  for (const [path, text] of files)
    for (const name of exportedNames(path, text)) places.set(name, [...(places.get(name) ?? []), path]);
  return places;
}

/** Names that are exported from two files, except for those that the page may have once more. */
function exportedTwice(places: Places): string[] {
  return [...places]
    .filter(([name, paths]) => {
      const onThePage = paths.filter((path) => path.startsWith('ui/')).length;
      const once = THE_SAME_ON_THE_PAGE.has(name) ? [paths.length - onThePage, onThePage] : [paths.length];
      return once.some((times) => times > 1);
    })
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}

const vagueNames = (places: Places) =>
  [...places.keys()].filter((name) => !PLAIN.test(name) && wordsOfName(name).some((word) => VAGUE.has(word)));

describe('exported names', () => {
  const places = placesOfNames(sources());

  test('have one meaning: one file exports each', () => {
    expect(places.size).toBeGreaterThan(2000);
    expect(exportedTwice(places)).toEqual([]);
    const stale = [...THE_SAME_ON_THE_PAGE].filter((name) => places.get(name)?.length !== 2);
    expect(stale).toEqual([]);
  });

  test('describe the thing', () => {
    expect(vagueNames(places)).toEqual([]);
  });

  test('are found', () => {
    const found = placesOfNames(
      new Map([
        [
          'src/core/a.ts',
          'export type Told = 1; export const lookUp = 1, { own, b: [two] } = x; const no = 1;',
        ],
        ['src/core/b.ts', 'export async function own() {} export class Job {} export { no } from "./a.ts";'],
        [
          'ui/src/C.vue',
          '<script lang="ts">export interface Job {}</script><script setup>const own = 1;</script>',
        ],
        ['ui/src/d.ts', 'export const STANDING_ORDER = 1; export function two(): void {}'],
      ]),
    );
    expect(exportedTwice(found)).toEqual([
      'own: src/core/a.ts, src/core/b.ts',
      'two: src/core/a.ts, ui/src/d.ts',
    ]);
    expect(vagueNames(found)).toEqual(['Told', 'STANDING_ORDER']);
  });
});
