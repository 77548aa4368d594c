import { statSync } from 'node:fs';
import { join } from 'node:path';
import { applyChanges, type Change } from '../../core/model/change.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { plainRecords } from './manifest-file.ts';
import { readLater } from './manifest-log.ts';

/** How manifest.json looked before a manifest was read from it and its log. */
const bases = new WeakMap<Manifest, string>();

export function baseStamp(folder: string): string {
  const found = statSync(join(folder, 'manifest.json'), { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino}-${found.size}-${found.mtimeNs}` : '';
}

/** `look` is from before it was read: a later one could be that of a newer file. */
export function noteBase(manifest: Manifest, look: string): void {
  if (look !== '') bases.set(manifest, look);
}

/**
 * A manifest that was read before, with what the log got since: as long as manifest.json is the same, nothing else changed.
 * Undefined where all of it must be read again. Unchanged records are shared with the earlier one.
 */
export async function continueManifest(folder: string, before: Manifest): Promise<Manifest | undefined> {
  const look = bases.get(before);
  if (look === undefined || look !== baseStamp(folder)) return undefined;
  const later = await readLater(join(folder, 'manifest.log'), before.gen, before.lastModified);
  const last = later?.at(-1);
  if (!later || !last || look !== baseStamp(folder)) return undefined;
  const changes = later.flatMap((it) => it.changes);
  const applied = applyChanges(before, changes);
  const manifest = plainRecords({ ...applied, gen: last.gen, lastModified: last.at });
  slimSessions(manifest, changes);
  noteBase(manifest, look);
  return manifest;
}

/** A record of many fields without a prototype takes five times the memory of one as it is read from manifest.json. */
function slimSessions({ sessions }: Manifest, changes: readonly Change[]): void {
  for (const {
    at: [field, id],
  } of changes) {
    const record = field === 'sessions' && id !== undefined ? sessions[id] : undefined;
    if (record) sessions[id!] = { ...record };
  }
}
