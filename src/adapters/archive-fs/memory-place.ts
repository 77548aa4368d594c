import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { type ParsedFile, parseStored } from '../../core/model/parse-stored.ts';
import { fields, oneOf, type Shape, text, where } from '../../core/model/shape.ts';
import type { MemoryPlace } from '../../ports/archive.ts';
import { diskFault, errorCode } from './disk-fault.ts';
import { projectFolder } from './layout.ts';

/** What an archive knows of a project's choice. `id` is in a file of that folder, too, which git never carries. */
export type PlaceRecord = {
  version: 1;
  /** The project's own folder, absolute. */
  root: string;
  id: string;
  /** `in`: the layers are in the project. `entering`, `leaving`: a move is under way. `out`: they came back. */
  state: 'entering' | 'in' | 'leaving' | 'out';
  /** The content of a folder that others made, as it was when the user approved it. */
  approved?: { hash: string; at: string };
};

/** Says that this archive made the folder; the `.gitignore` beside it keeps it out of clones. */
export const MARKER = '.keepsake';
/** What belongs to the folder, not to the memory in it. */
export const FIXTURES: ReadonlySet<string> = new Set([MARKER, '.gitignore']);

const KNOWN = new Map<string, { key: string; place: MemoryPlace }>();

export function placeFile(root: string, project: ProjectId): string {
  return `${projectFolder(root, project)}${sep}place.json`;
}

export function placedFolder(projectRoot: string): string {
  return join(projectRoot, '.claude', 'memory');
}

const placeShape: Shape<PlaceRecord> = fields(
  {
    version: oneOf(1),
    root: where((it): it is string => typeof it === 'string' && it !== '', 'a path'),
    id: text,
    state: oneOf('entering', 'in', 'leaving', 'out'),
  },
  { approved: fields({ hash: text, at: text }) },
);

/** A damaged record says nothing: the archive's own folder is then used, and `inspect` names it. */
export function readPlace(root: string, project: ProjectId): PlaceRecord | undefined {
  return parsePlace(root, project).value;
}

function parsePlace(
  root: string,
  project: ProjectId,
): ParsedFile<PlaceRecord> | { state: 'missing'; value?: undefined } {
  const file = placeFile(root, project);
  try {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return { state: 'missing' };
    return parseStored(readFileSync(file, 'utf8'), placeShape);
  } catch (error) {
    return { state: 'damaged', why: (error as Error).message };
  }
}

/**
 * Where a project's `memory/` files are. Looked up at every use, so that a long process follows a move that another
 * makes; a few calls to the system, and none beyond the first where nobody opted in.
 */
export function memoryPlace(root: string, project: ProjectId): MemoryPlace {
  const file = placeFile(root, project);
  const own: MemoryPlace = { kind: 'archive', folder: `${projectFolder(root, project)}${sep}memory` };
  const stamp = stampOf(file);
  if (stamp === '') return own;
  const known = KNOWN.get(file);
  if (known && known.key === stamp + stampsBelow(known.place)) return known.place;
  const stored = parsePlace(root, project);
  if (stored.state === 'damaged') return { ...own, trouble: `${file} is damaged (${stored.why}).` };
  try {
    const place = placeFrom(stored.value, own);
    KNOWN.set(file, { key: stamp + stampsBelow(place), place });
    return place;
  } catch (error) {
    // Not remembered: the next look may succeed.
    const asked = stored.value === undefined ? {} : { asked: stored.value.root };
    return { ...own, ...asked, trouble: (error as Error).message };
  }
}

function placeFrom(record: PlaceRecord | undefined, own: MemoryPlace): MemoryPlace {
  if (!record) return own;
  const { root, state, id } = record;
  const asked = { asked: root };
  if (state === 'out') return isMarked(record) ? { ...own, ...asked, unfinished: 'out' } : own;
  if (state === 'entering') return { ...own, ...asked, unfinished: 'in' };
  const trouble = troubleWith(root, id);
  if (trouble !== undefined) return { ...own, ...asked, trouble };
  const folder = placedFolder(root);
  return { kind: 'project', folder, ...asked, ...(state === 'leaving' ? { unfinished: 'out' } : {}) };
}

/** Why the folder can't be used although the project opted in. */
function troubleWith(root: string, id: string): string | undefined {
  const folder = placedFolder(root);
  if (stampOf(root) === '') return `${root} does not exist.`;
  const link = linkOut(root);
  if (link !== undefined) return link;
  if (stampOf(folder) === '') return `${folder} no longer exists.`;
  if (markerOf(root) !== id) return `${folder} was not created by this archive.`;
  return undefined;
}

/** A sentence when `.claude/memory` leads out of the project. */
export function linkOut(root: string): string | undefined {
  try {
    const real = realpathSync(root);
    for (const path of [join(root, '.claude'), placedFolder(root)]) {
      if (stampOf(path) === '') return undefined;
      const found = realpathSync(path);
      if (!found.startsWith(real.endsWith(sep) ? real : real + sep)) {
        return `${path} is a symlink that leads out of the project.`;
      }
    }
    return undefined;
  } catch {
    return `${placedFolder(root)} can't be opened.`;
  }
}

/** Whether the folder is known to be ours; not where its mark can't be read. */
export function isMarked({ root, id }: PlaceRecord): boolean {
  try {
    return markerOf(root) === id;
  } catch {
    return false;
  }
}

/** Throws where it is there and can't be read: nobody knows then whose the folder is. */
export function markerOf(root: string): string | undefined {
  const path = join(placedFolder(root), MARKER);
  try {
    return lstatSync(path).isFile() ? readFileSync(path, 'utf8').trim() : undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw diskFault(error, path, 'read');
  }
}

/** Nothing below a project's memory is followed out of it: a link is refused wherever it is. */
export function refuseLinks(folder: string, segments: string[]): void {
  let path = folder;
  for (const segment of segments) {
    path = join(path, segment);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return;
    if (!found.isSymbolicLink()) continue;
    throw new Fault('conflict', `${path} is a symlink, which Keepsake does not follow.`, {
      hint: 'Replace it with a regular file, or move the rolling memory out of the project: keepsake init --undo',
    });
  }
}

function stampsBelow(place: MemoryPlace): string {
  if (place.asked === undefined) return '';
  const folder = placedFolder(place.asked);
  return [place.asked, join(place.asked, '.claude'), folder, join(folder, MARKER)].map(stampOf).join(';');
}

/** Distinguishes a file or folder from its replacement; empty if there is nothing. */
function stampOf(path: string): string {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return '';
    // A folder's times change with every file in it.
    const time = found.isDirectory() ? '' : found.mtimeMs;
    return `${found.dev}:${found.ino}:${found.isSymbolicLink()}:${time}`;
  } catch {
    return '';
  }
}
