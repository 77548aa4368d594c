import { randomBytes } from 'node:crypto';
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Fault } from '../../core/model/fault.ts';

/** A new file beside it that takes its name: a reader sees the old one or the new one, a kill leaves the old. */
export async function replaceUserFile(path: string, bytes: Uint8Array, within: string): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path);
    const folder = await realpath(within);
    if (target !== path && !(await realpath(dirname(target))).concat(sep).startsWith(folder + sep)) {
      throw new Fault('conflict', `${path} is a symlink that leads out of ${within}; it was not changed.`, {
        hint: 'Replace it with a regular file.',
      });
    }
    const mode = await stat(target).then(
      (found) => found.mode & 0o777,
      () => undefined,
    );
    const temp = join(
      dirname(target),
      `.tmp-${randomBytes(8).toString('hex')}-${basename(target).slice(0, 60)}`,
    );
    try {
      const file = await open(temp, 'wx', mode ?? 0o666);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      if (mode !== undefined) await chmod(temp, mode);
      await rename(temp, target);
    } catch (error) {
      await rm(temp, { force: true });
      throw error;
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    throw new Fault(full ? 'disk-full' : 'read-only', `${path} could not be written (${code}).`, {
      hint: 'The file is unchanged. Check the free space and the permissions of its folder.',
      cause: error,
    });
  }
}
