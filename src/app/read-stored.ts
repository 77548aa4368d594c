import { Fault } from '../core/model/fault.ts';
import { type ProjectId, shortHash } from '../core/model/ids.ts';
import {
  type DamagedLine,
  type Format,
  type ParsedFile,
  parseStored,
  parseStoredLines,
} from '../core/model/parse-stored.ts';
import type { Schema } from '../core/model/shape.ts';
import { orFault } from './or-fault.ts';
import { LAST_SYNC_FILE } from './sync-report.ts';
import type { World } from './world.ts';

/** A kind of file that Keepsake writes for itself. */
export type StoredKind<T> = {
  schema: Schema<T>;
  /** Without it a file has no version of its own. */
  format?: Format;
  /** What follows from damage, as a sentence for a person. */
  damaged: string;
  /** It can be rebuilt from other files, so a damaged one need not be kept aside. */
  derived?: true;
};

export type Stored<T> = ParsedFile<T> | { state: 'missing'; value?: undefined };

/**
 * A file below a project's folder, or below `cache/` if the project is undefined. Damage is reported once: of a cache file in
 * the log, of any other as a warning; a file that cannot be rebuilt is kept aside before it is overwritten.
 */
export async function readStored<T>(
  world: World,
  project: ProjectId | undefined,
  name: string,
  kind: StoredKind<T>,
): Promise<Stored<T>> {
  const bytes = await world.archive.files.read(project, name);
  if (!bytes) return { state: 'missing' };
  const stored = parseStored(bytes, kind.schema, kind.format);
  if (stored.state === 'damaged') await noteDamage(world, { project, name, bytes, ...stored }, kind);
  return stored;
}

/** A file of JSON lines: those that are sound. A last line without its end was never whole, and is no damage. */
export async function readStoredLines<T>(
  world: World,
  project: ProjectId | undefined,
  name: string,
  kind: StoredKind<T>,
): Promise<T[]> {
  const bytes = await world.archive.files.read(project, name);
  if (!bytes) return [];
  const { values, damaged } = parseStoredLines(bytes.toString('utf8'), kind.schema);
  if (damaged.length > 0) await noteDamage(world, { project, name, bytes, why: damageText(damaged) }, kind);
  return values;
}

/** `line 3: it is not JSON, and 2 more lines`. */
export function damageText([first, ...more]: DamagedLine[]): string {
  const others = more.length === 0 ? '' : `, and ${more.length} more ${more.length === 1 ? 'line' : 'lines'}`;
  return first === undefined ? '' : `line ${first.line}: ${first.why}${others}`;
}

type Damaged = { project: ProjectId | undefined; name: string; bytes: Buffer; why: string };

/** Says that a file is damaged, and keeps what could be lost by it. */
export async function noteDamage(
  world: World,
  { project, name, bytes, why }: Damaged,
  kind: Pick<StoredKind<unknown>, 'damaged' | 'derived'>,
): Promise<void> {
  const note = `${world.archive.files.path(project, name)} is damaged (${why}). ${kind.damaged}`;
  if (project === undefined) return world.log?.(note);
  await orFault(world.archive.files.remove(undefined, LAST_SYNC_FILE));
  if (kind.derived) return world.report?.(note);
  const aside = `${name}${DAMAGED}${shortHash(bytes.toString('latin1'), 8)}`;
  // An archive that can't be written can't be written over either.
  const kept = await orFault(world.archive.files.create(project, aside, bytes));
  world.report?.(kept instanceof Fault ? note : `${note} The damaged file was saved as ${aside}.`);
}

/** In the name of what was kept aside, before a hash of its content. */
export const DAMAGED = '.damaged-';
