import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths that exist on only one side or differ. */
export function changedBetween(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((it) => before.get(it) !== after.get(it));
}

/** Hashes of all files below a folder, by relative path. */
export function hashes(folder: string, below = '', found = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const place = join(below, entry.name);
    if (entry.isDirectory()) hashes(folder, place, found);
    else if (entry.isFile())
      found.set(
        place,
        createHash('sha256')
          .update(readFileSync(join(folder, place)))
          .digest('hex'),
      );
  }
  return found;
}
