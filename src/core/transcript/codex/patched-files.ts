import type { PatchedEntry } from '../../model/entry.ts';
import { isObject } from '../parse-line.ts';

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm;
const MOST_HUNKS = 3;

/** The files that a patch changed, each with its lines as they are numbered after it: `12-30,45-47`. */
export function patchedFiles(changes: unknown): PatchedEntry['files'] {
  if (!isObject(changes)) return [];
  return Object.entries(changes).map(([path, change]) => {
    const moved = isObject(change) && typeof change.move_path === 'string' ? change.move_path : path;
    return { path: moved, lines: isObject(change) ? numbersOf(change.unified_diff) : '' };
  });
}

function numbersOf(diff: unknown): string {
  if (typeof diff !== 'string') return '';
  const hunks = [...diff.matchAll(HUNK)].slice(0, MOST_HUNKS);
  return hunks
    .map(([, start = '0', count = '1']) => `${start}-${Number(start) + Math.max(Number(count), 1) - 1}`)
    .join(',');
}
