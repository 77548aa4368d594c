import { open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { Files } from '../../ports/archive.ts';
import { ownFile } from './absorb.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import { derivedPath } from './layout.ts';
import { listFiles } from './list-files.ts';
import { createFileAtomic, makeFolder, openOwn, syncFolder, writeFileAtomic, writeFully } from './write-file.ts';

export function files(root: string): Files {
  return {
    path: (project, name) => derivedPath(root, project, name),
    async read(project, name) {
      const path = derivedPath(root, project, name);
      try {
        return await ifThere(readFile(path));
      } catch (error) {
        throw diskFault(error, path, 'read');
      }
    },
    async readAt(project, name, at, bytes) {
      const path = derivedPath(root, project, name);
      try {
        const file = await ifThere(open(path, 'r'));
        if (!file) return Buffer.alloc(0);
        try {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
          return buffer.subarray(0, bytesRead);
        } finally {
          await file.close();
        }
      } catch (error) {
        throw diskFault(error, path, 'read');
      }
    },
    async size(project, name) {
      return (await ifThere(stat(derivedPath(root, project, name))))?.size ?? 0;
    },
    write: async (project, name, bytes) => writeFileAtomic(derivedPath(root, project, name), bytes),
    create: async (project, name, bytes) => createFileAtomic(derivedPath(root, project, name), bytes),
    async writeAt(project, name, at, bytes) {
      const path = derivedPath(root, project, name);
      const size = await ownFile(path);
      if (at > (size ?? 0)) {
        throw new Fault('conflict', `${path} is shorter than expected: ${size ?? 0} bytes, not ${at}.`, {
          hint: 'It was changed from outside; making it anew mends it.',
        });
      }
      await writeInto(path, at, Buffer.from(bytes as Uint8Array), size === undefined);
    },
    list: async (project, folder) => listFiles(derivedPath(root, project, folder)),
    async remove(project, name) {
      const path = derivedPath(root, project, name);
      try {
        await rm(path, { force: true });
        await ifThere(syncFolder(dirname(path)));
      } catch (error) {
        throw diskFault(error, path, 'write');
      }
    },
  };
}

async function writeInto(path: string, at: number, bytes: Buffer, isNew: boolean): Promise<void> {
  try {
    await makeFolder(dirname(path));
    const file = await openOwn(path);
    try {
      await writeFully(file, bytes, at);
      await file.sync();
    } finally {
      await file.close();
    }
    if (isNew) await syncFolder(dirname(path));
  } catch (error) {
    throw diskFault(error, path, 'write');
  }
}
