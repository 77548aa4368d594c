import { statSync } from 'node:fs';

/** Undefined if nothing is. */
export function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
