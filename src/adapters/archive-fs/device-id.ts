import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault, ifThere } from './disk-fault.ts';
import { createFileAtomic, writeFileAtomic } from './write-file.ts';

const DEVICE = /^[0-9a-f-]{8,40}$/;

/** The archive's own id, made at its first edit. One that can't be read is replaced: it only keeps edits apart. */
export async function deviceId(root: string, fresh: () => string): Promise<string> {
  const path = join(root, 'device-id');
  try {
    const known = await ifThere(readFile(path, 'utf8'));
    if (known !== undefined && DEVICE.test(known.trim())) return known.trim();
    const made = fresh();
    if (known !== undefined) await writeFileAtomic(path, `${made}\n`);
    else if (!(await createFileAtomic(path, `${made}\n`)))
      return (await readFile(path, 'utf8')).trim() || made;
    return made;
  } catch (error) {
    throw diskFault(error, path, 'read');
  }
}
