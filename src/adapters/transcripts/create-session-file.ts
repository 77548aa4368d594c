import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';

/** A new file of the agent's: written aside and then given its name, which fails where a file exists. */
export async function createSessionFile<T>(path: string, text: string, before: () => Promise<T>): Promise<T> {
  const temp = join(dirname(path), `.keepsake-${randomBytes(8).toString('hex')}.tmp`);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temp, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    const done = await before();
    await link(temp, path);
    return done;
  } catch (error) {
    throw asFault(error, path);
  } finally {
    await rm(temp, { force: true }).catch(() => {});
  }
}

function asFault(error: unknown, path: string): unknown {
  if (error instanceof Fault) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  if (code === 'EEXIST') return new Fault('conflict', `${path} already exists and was not changed.`);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Fault('disk-full', `No space left for ${path}.`, {
      hint: 'Free some space.',
      cause: error,
    });
  return new Fault('read-only', `${path} can't be written (${code}).`, {
    hint: "Check the owner and the permissions of the agent's folder.",
    cause: error,
  });
}
