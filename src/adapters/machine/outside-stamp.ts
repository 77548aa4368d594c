import { statSync } from 'node:fs';

/** Size and time of a file or folder, empty if there is none. At once: the system has it in memory. */
export function outsideStamp(path: string): string {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? '' : `${found.ino}-${found.size}-${found.mtimeNs}`;
  } catch {
    // Behind what is no folder, or closed to this user.
    return '';
  }
}
