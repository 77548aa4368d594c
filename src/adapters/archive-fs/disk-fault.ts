import { Fault } from '../../core/model/fault.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** EBADF: opened for reading only, since writing was not allowed. */
const FORBIDDEN = new Set(['EROFS', 'EACCES', 'EPERM', 'EBADF']);

/** The system's error as a sentence that names the file and says what to do. */
export function diskFault(error: unknown, path: string, doing: 'read' | 'write'): unknown {
  if (error instanceof Fault) return error;
  const code = errorCode(error);
  // Only what the system says; a mistake of ours stays one.
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error;
  const cause = { cause: error };
  if (FULL.has(code)) {
    return new Fault('disk-full', `No space left to write ${path}. Its previous content is unchanged.`, {
      hint: 'Free some space (or raise the quota), then run the command again.',
      ...cause,
    });
  }
  if (FORBIDDEN.has(code) && doing === 'write') {
    return new Fault('read-only', `${path} can't be written (${code}).`, {
      hint: 'Check the owner and the permissions of the folder, or set CLAUDE_MEMORY_DIR to one you can write to.',
      ...cause,
    });
  }
  if (code === 'ENOENT') return new Fault('not-found', `File not found: ${path}.`, cause);
  return new Fault('unreadable', `${path} can't be ${doing === 'read' ? 'read' : 'written'} (${code}).`, {
    hint: 'Check that it is a regular file and that you own it.',
    ...cause,
  });
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** For what may not be there: undefined instead of ENOENT. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
