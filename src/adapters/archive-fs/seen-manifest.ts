import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasSettled } from './project-stamps.ts';

/** What an earlier reader found out about manifest.json. */
export type SeenManifest = { isSound(checksum: string): boolean; note(checksum: string): void };

/**
 * Remembers by the size and time of manifest.json that its checksum was right: to load what hashes takes longer than all else that
 * a list of sessions does. Whoever writes a manifest, or verifies one, hashes it anyway.
 */
export function seenManifest(folder: string): SeenManifest {
  const file = join(dirname(dirname(folder)), 'cache', 'manifests', basename(folder));
  const found = statSync(join(folder, 'manifest.json'), { bigint: true, throwIfNoEntry: false });
  const look = found && hasSettled(found) ? `${found.ino}-${found.size}-${found.mtimeNs}` : '';
  let noted: string | undefined;
  const isNoted = (text: string) => {
    noted ??= textOf(file);
    return noted === text;
  };
  return {
    isSound: (checksum) => look !== '' && isNoted(`${look} ${checksum}`),
    note(checksum) {
      if (look === '') return;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileSync(file, `${look} ${checksum}`, { mode: 0o600 });
      } catch {
        // No room, or no right to write: it is hashed again.
      }
    },
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
