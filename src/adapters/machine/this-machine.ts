import { statSync } from 'node:fs';
import { access, constants, lstat, readdir, readFile, stat, statfs } from 'node:fs/promises';
import { sep } from 'node:path';
import { platformOf } from '../../core/model/platform.ts';
import type { Machine } from '../../ports/machine.ts';
import { outsideStamp } from './outside-stamp.ts';
import { replaceUserFile } from './replace-user-file.ts';

export function thisMachine(keepsake: string): Machine {
  return {
    async versions() {
      const sqlite =
        process.versions.sqlite ??
        (await import('node:sqlite').then(
          () => 'unknown',
          () => 'none',
        ));
      return { keepsake, node: process.versions.node, sqlite };
    },
    readText: (path) => readFile(path, 'utf8').catch(() => undefined),
    readBytes: (path) => readFile(path).catch(() => undefined),
    replaceFile: replaceUserFile,
    list: (path) => readdir(path).catch(() => []),
    stamps: async (paths) => paths.map(outsideStamp),
    accessTo,
    isLink: (path) =>
      lstat(path).then(
        (found) => found.isSymbolicLink(),
        () => false,
      ),
    async mode(path) {
      // Windows makes its bits up.
      if (!platformOf(process.platform).hasModes) return undefined;
      return stat(path).then(
        (found) => found.mode & 0o777,
        () => undefined,
      );
    },
    async isOwn(path) {
      // Windows has no such numbers.
      const me = process.getuid?.();
      const owner = await stat(path).then(
        ({ uid }) => uid,
        () => undefined,
      );
      return me === undefined || owner === undefined || owner === me;
    },
    freeBytes: (path) =>
      statfs(path).then(
        (found) => found.bavail * found.bsize,
        () => undefined,
      ),
    treeBytes,
  };
}

const accessTo: Machine['accessTo'] = async (path) => {
  const can = (mode: number) =>
    access(path, mode).then(
      () => true,
      () => false,
    );
  const there = await lstat(path).then(
    (found) => found,
    (error: NodeJS.ErrnoException) => error.code,
  );
  // Behind a folder that is closed to this user there may be something.
  if (typeof there !== 'object') return there === 'EACCES' ? 'none' : 'missing';
  if (there.isSymbolicLink() && !(await can(constants.F_OK))) return 'dangling';
  if (await can(constants.R_OK | constants.W_OK)) return 'write';
  return (await can(constants.R_OK)) ? 'read' : 'none';
};

/** Files that are looked at before others have their turn. */
const AT_ONCE = 2000;

async function treeBytes(path: string): Promise<number> {
  let [bytes, looked] = [0, 0];
  const folders = [path];
  // Not `recursive`, which asks the system about each entry once more and works out what each path means.
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const place = `${folder}${sep}${entry.name}`;
      if (entry.isDirectory()) folders.push(place);
      // Synchronous: for one small question a trip through the thread pool costs more than the answer.
      else if (entry.isFile()) bytes += statSync(place, { throwIfNoEntry: false })?.size ?? 0;
      if (++looked % AT_ONCE === 0) await new Promise((turn) => setImmediate(turn));
    }
  }
  return bytes;
}
