import { Fault } from '../core/model/fault.ts';

/** Refuses the kernel's own file systems: Node never comes back from making a folder in them. */
export function checkedArchive(archive: string): string {
  if (!/^\/(?:proc|sys)(?:\/|$)/.test(archive)) return archive;
  throw new Fault('config', `Nothing can be kept in ${archive}.`, {
    hint: 'Set CLAUDE_MEMORY_DIR to a folder on a disk.',
  });
}
