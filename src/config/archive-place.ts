import { Fault } from '../core/model/fault.ts';

/** The kernel's own file systems: Node never comes back from making a folder in them. */
export function isKernelPlace(archive: string): boolean {
  return /^\/(?:proc|sys)(?:\/|$)/.test(archive);
}

export function checkedArchive(archive: string): string {
  if (!isKernelPlace(archive)) return archive;
  throw new Fault('config', `The archive can't be stored in ${archive}.`, {
    hint: 'Set CLAUDE_MEMORY_DIR to a folder on a disk.',
  });
}
