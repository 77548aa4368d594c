import { closeSync, openSync, readSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Files } from '../../ports/archive.ts';
import { ownFile } from './absorb.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import type { LatePurges } from './late-purges.ts';
import { checkedName, derivedPath } from './layout.ts';
import { listFiles } from './list-files.ts';
import { memoryPlace, refuseLinks } from './memory-place.ts';
import {
  type Access,
  AS_UMASK,
  createFileAtomic,
  fsyncFolder,
  makeFolder,
  openOwn,
  PRIVATE,
  syncFile,
  writeFileAtomic,
  writeFully,
} from './write-file.ts';

export function files(root: string, late: LatePurges): Files {
  const pathOf = (project: ProjectId | undefined, name: string) => placeOf(root, project, name).path;
  return {
    path: pathOf,
    async read(project, name) {
      const path = pathOf(project, name);
      try {
        return await ifThere(readFile(path));
      } catch (error) {
        throw diskFault(error, path, 'read');
      }
    },
    async readAt(project, name, at, bytes) {
      const path = pathOf(project, name);
      try {
        return (await ifThere(readPiece(path, at, bytes))) ?? Buffer.alloc(0);
      } catch (error) {
        throw diskFault(error, path, 'read');
      }
    },
    async size(project, name) {
      return (await ifThere(stat(pathOf(project, name))))?.size ?? 0;
    },
    async write(project, name, bytes) {
      const { path, access } = placeOf(root, project, name);
      await late.write(path, bytes, (clean) => writeFileAtomic(path, clean, access));
    },
    async create(project, name, bytes) {
      const { path, access } = placeOf(root, project, name);
      let isMine: boolean | undefined;
      await late.write(path, bytes, async (clean) => {
        if (isMine) await writeFileAtomic(path, clean, access);
        isMine ??= await createFileAtomic(path, clean, access);
      });
      return isMine === true;
    },
    async writeAt(project, name, at, bytes) {
      const place = placeOf(root, project, name);
      const { path } = place;
      const size = await ownFile(path);
      if (at > (size ?? 0)) {
        throw new Fault('conflict', `${path} is shorter than expected: ${size ?? 0} bytes, not ${at}.`, {
          hint: 'Another program changed it. Rebuild it to repair it.',
        });
      }
      await late.write(path, bytes, (clean) =>
        writeInto(place, at, Buffer.from(clean as Uint8Array), size === undefined),
      );
    },
    list: async (project, folder) => listFiles(pathOf(project, folder)),
    async remove(project, name) {
      // A move that was cut off leaves the file in both places: what is removed must not stay in one.
      for (const path of new Set([pathOf(project, name), derivedPath(root, project, name)])) {
        try {
          await rm(path, { force: true });
          await ifThere(fsyncFolder(dirname(path)));
        } catch (error) {
          throw diskFault(error, path, 'write');
        }
      }
    },
  };
}

type Place = { path: string; access: Access };

/** `memory/` may be in the project itself. */
function placeOf(root: string, project: ProjectId | undefined, name: string): Place {
  const own = { path: derivedPath(root, project, name), access: PRIVATE };
  const [first, ...segments] = checkedName(name);
  if (project === undefined || first !== 'memory') return own;
  const place = memoryPlace(root, project);
  if (place.kind === 'archive') return own;
  refuseLinks(place.folder, segments);
  return { path: join(place.folder, ...segments), access: AS_UMASK };
}

/** Synchronous: search reads a few short pieces, and a trip through the thread pool costs more than the read. */
async function readPiece(path: string, at: number, bytes: number): Promise<Buffer> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(bytes);
    let done = 0;
    for (let read = -1; read !== 0 && done < bytes; done += read)
      read = readSync(file, buffer, done, bytes - done, at + done);
    return buffer.subarray(0, done);
  } finally {
    closeSync(file);
  }
}

async function writeInto({ path, access }: Place, at: number, bytes: Buffer, isNew: boolean): Promise<void> {
  try {
    await makeFolder(dirname(path), access);
    const file = await openOwn(path, access);
    try {
      await writeFully(file, bytes, at);
      await syncFile(file, path);
    } finally {
      await file.close();
    }
    if (isNew) await fsyncFolder(dirname(path));
  } catch (error) {
    throw diskFault(error, path, 'write');
  }
}
