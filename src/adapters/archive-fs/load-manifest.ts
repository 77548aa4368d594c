import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyChanges, MANIFEST_VERSION } from '../../core/model/change.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { sha256 } from '../../core/model/sha256.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import { readRecorded } from './history-file.ts';
import { readEdits, withoutEdits } from './manifest-edits.ts';
import { type Doc, parseManifest, plainRecords, type ReadManifest } from './manifest-file.ts';
import { type Log, type LogLine, readLog } from './manifest-log.ts';
import { markAuthors } from './mark-authors.ts';
import { migrate } from './migrations.ts';
import { firstCwd, originalIds } from './original-ids.ts';
import { dropPieces, rebuildManifest, soundManifest } from './rebuild-manifest.ts';
import { replayHistory } from './replay-history.ts';
import { type SeenManifest, seenManifest } from './seen-manifest.ts';

export type LoadedManifest = {
  manifest: Manifest;
  notes: string[];
  rebuilt: boolean;
  /** The lines of manifest.log, for the history. */
  log: LogLine[];
  /** Set if the file on disk must not stay as it is: the next change rewrites it and notes that in the history. */
  repair: Repair | undefined;
};

/** `keep`: files to keep aside, as [bytes, name]. */
export type Repair = { action: HistoryEvent['action']; keep: [bytes: Buffer, name: string][] };

type Base = { manifest: Manifest; repair: Repair | undefined; rebuilt: boolean; lines: LogLine[] };

/**
 * Reads without the lock and changes nothing. The log is read first, so that no line is missed if another process folds it
 * meanwhile. `toRead`: nothing is written or verified, so a checksum that was right before is not computed again.
 */
export async function loadManifest(
  folder: string,
  project: ProjectId,
  toRead?: 'to read',
): Promise<LoadedManifest | undefined> {
  const path = join(folder, 'manifest.json');
  try {
    const log = await readLog(join(folder, 'manifest.log'));
    const seen = toRead && seenManifest(folder);
    const bytes = await ifThere(readFile(path));
    const notes: string[] = [];
    const base = await findBase(folder, project, { bytes, log, notes, seen });
    return base && (await replay(folder, base, log, notes));
  } catch (error) {
    throw diskFault(error, path, 'read');
  }
}

type Found = { bytes: Buffer | undefined; log: Log; notes: string[]; seen: SeenManifest | undefined };

async function findBase(folder: string, project: ProjectId, found: Found): Promise<Base | undefined> {
  const { bytes, log, notes, seen } = found;
  const read = parseManifest(bytes, join(folder, 'manifest.json'), seen);
  if (read.state === 'sound') {
    return { manifest: read.manifest, repair: undefined, rebuilt: false, lines: log.lines };
  }
  const before = await readLog(join(folder, 'manifest.prev.log'));
  const prevBytes = await ifThere(readFile(join(folder, 'manifest.prev.json')));
  const prev = parseManifest(prevBytes, join(folder, 'manifest.prev.json'));
  const lines = inOrder([...before.lines, ...log.lines]);
  if (read.state === 'foreign' && bytes) {
    const adopted = await adoptForeign(read.doc, bytes, { project, prev, lines, notes });
    if (adopted) return { ...adopted, lines: log.lines };
  }
  const keep: Repair['keep'] = bytes ? [[bytes, `manifest.broken-${sha256(bytes).slice(0, 12)}.json`]] : [];
  if (prev.state === 'sound') {
    const why = bytes ? 'was damaged (saved under another name)' : 'was missing';
    notes.push(`manifest.json ${why}; it was rebuilt from manifest.prev.json and later changes.`);
    return { manifest: prev.manifest, repair: { action: 'recover', keep }, rebuilt: false, lines };
  }
  const history = await readRecorded(join(folder, 'history.jsonl'));
  const originals = await originalIds(folder);
  if (read.state === 'missing' && prev.state === 'missing') {
    if (lines.length === 0 && history.length === 0 && originals.length === 0) return undefined;
    // A project's first change, written but not yet folded.
    if (lines[0]?.gen === 1)
      return { manifest: { gen: 0 } as Manifest, repair: undefined, rebuilt: false, lines };
  }
  if (prevBytes) keep.push([prevBytes, `manifest.broken-${sha256(prevBytes).slice(0, 12)}.json`]);
  const text = [bytes, prevBytes].map((part) => part?.toString('utf8') ?? '');
  const replayed = replayHistory(history, lines[0]?.gen);
  const cwd = await firstCwd(folder, originals, project);
  const edits = await readEdits(join(folder, 'manifest.edits.json'));
  const manifest = rebuildManifest(project, {
    broken: text,
    last: lines.at(-1),
    replayed,
    originals,
    cwd,
    edits,
  });
  notes.push(
    'manifest.json and manifest.prev.json were both lost or damaged; a sync registers the originals in the archive again.',
  );
  const since = withoutEdits(lines, edits);
  return { manifest, repair: { action: 'recover', keep }, rebuilt: true, lines: since };
}

type Beside = { project: ProjectId; prev: ReadManifest; lines: LogLine[]; notes: string[] };

/** A file that someone else wrote or changed is taken when every field is sound and its generation can be ours. */
async function adoptForeign(
  doc: Doc,
  bytes: Buffer,
  beside: Beside,
): Promise<Omit<Base, 'lines'> | undefined> {
  const { project, prev, lines, notes } = beside;
  const migrated = migrate(doc, project);
  const manifest = await soundManifest(migrated.doc, notes, migrated.keepAs !== undefined);
  if (!manifest || manifest.projectId !== project) return undefined;
  if (migrated.keepAs !== undefined) {
    notes.push(
      `manifest.json was migrated (${migrated.names.join(', ')}); the old one is ${migrated.keepAs}.`,
    );
    return { manifest, rebuilt: false, repair: { action: 'migrate', keep: [[bytes, migrated.keepAs]] } };
  }
  const least = prev.state === 'sound' ? prev.manifest.gen : 0;
  const most = prev.state === 'sound' ? Math.max(least, lines.at(-1)?.gen ?? 0) : manifest.gen;
  if (manifest.gen < least || manifest.gen > most) return undefined;
  const aside = `manifest.edited-${sha256(bytes).slice(0, 12)}.json`;
  notes.push(`manifest.json was changed by hand; it is valid and Keepsake uses it (copy: ${aside}).`);
  return { manifest, rebuilt: false, repair: { action: 'recover', keep: [[bytes, aside]] } };
}

async function replay(folder: string, base: Base, log: Log, notes: string[]): Promise<LoadedManifest> {
  const due = inOrder(base.lines).filter((line) => base.rebuilt || line.gen > base.manifest.gen);
  const last = due.at(-1);
  const applied = applyChanges(
    base.manifest,
    due.flatMap((line) => line.changes),
  );
  const gen = Math.max(last?.gen ?? 0, base.manifest.gen);
  const lost = base.rebuilt ? 0 : gen - base.manifest.gen - due.length;
  let { repair, rebuilt } = base;
  if (lost > 0 || log.bad > 0) {
    const bytes = await ifThere(readFile(join(folder, 'manifest.log')));
    repair ??= { action: 'recover', keep: [] };
    if (bytes) repair.keep.push([bytes, `manifest.broken-${sha256(bytes).slice(0, 12)}.log`]);
    notes.push(
      `manifest.log has damaged lines: ${Math.max(lost, log.bad)} of its changes could not be read.`,
    );
    rebuilt = true;
  }
  const authored = await withAuthors(folder, applied, rebuilt);
  const manifest = plainRecords({ ...authored, version: MANIFEST_VERSION, gen });
  manifest.lastModified = last?.at ?? manifest.lastModified ?? manifest.createdAt;
  // A later change to a record whose first half is lost leaves a piece that nobody could read.
  if (rebuilt) await dropPieces(manifest, base.manifest.sessions, notes);
  return { manifest, notes, rebuilt, log: log.lines, repair };
}

/** Looked up again and again until the next fold stores it; of a rebuilt one some sessions may not be registered yet. */
async function withAuthors(folder: string, manifest: Manifest, rebuilt: boolean): Promise<Manifest> {
  if (manifest.authored || !manifest.sessions) return manifest;
  const history = await readRecorded(join(folder, 'history.jsonl'));
  const marked = markAuthors(
    manifest,
    history.map(({ event }) => event),
  );
  return rebuilt ? marked : { ...marked, authored: true };
}

function inOrder(lines: LogLine[]): LogLine[] {
  const byGen = new Map(lines.map((line) => [line.gen, line]));
  return [...byGen.values()].sort((a, b) => a.gen - b.gen);
}
