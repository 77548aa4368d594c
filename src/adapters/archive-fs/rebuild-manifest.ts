import { emptyRecords, MANIFEST_VERSION } from '../../core/model/change.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { ManifestEdits } from './manifest-edits.ts';
import { type Doc, plainRecords } from './manifest-file.ts';
import type { LogLine } from './manifest-log.ts';
import { sessionFromSeed } from './migrations.ts';
import type { Replayed } from './replay-history.ts';

/** Checks every field. With `dropBad`, sessions that fail are left out and named; otherwise one spoils it all. */
export async function soundManifest(
  doc: Doc,
  notes: string[],
  dropBad: boolean,
): Promise<Manifest | undefined> {
  // Zod is loaded for a file that is not as we wrote it, never for one that is.
  const [{ manifestSchema }, { sessionRecordSchema }] = await Promise.all([
    import('../../core/model/manifest.ts'),
    import('../../core/model/session.ts'),
  ]);
  if (typeof doc.sessions !== 'object' || doc.sessions === null) return undefined;
  const sessions: Doc = Object.create(null);
  const dropped: string[] = [];
  for (const [id, record] of Object.entries(doc.sessions)) {
    if (sessionRecordSchema.safeParse(record).success) sessions[id] = record;
    else dropped.push(id);
  }
  if (dropped.length > 0 && !dropBad) return undefined;
  if (!manifestSchema.safeParse({ ...doc, sessions: {} }).success) return undefined;
  if (dropped.length > 0) notes.push(leftOut(dropped));
  // The fields as they are, not zod's copy: what a later version added must survive.
  return plainRecords({ ...doc, sessions } as Manifest);
}

/** Omits records that are incomplete and did not exist before. */
export async function dropPieces(
  manifest: Manifest,
  before: object | undefined,
  notes: string[],
): Promise<void> {
  const { sessionRecordSchema } = await import('../../core/model/session.ts');
  const isPiece = ([id, record]: [string, unknown]) =>
    !(before && Object.hasOwn(before, id)) && !sessionRecordSchema.safeParse(record).success;
  const pieces = Object.entries(manifest.sessions ?? {})
    .filter(isPiece)
    .map(([id]) => id);
  for (const id of pieces) delete manifest.sessions[id];
  if (pieces.length > 0) notes.push(leftOut(pieces));
}

function leftOut(ids: string[]): string {
  return `Skipped because their records can't be read: ${ids.join(', ')}.`;
}

type Traces = {
  /** The text of what can't be read any more. */
  broken: string[];
  last: LogLine | undefined;
  replayed: Replayed;
  /** Ids of the sessions whose originals are here. */
  originals: string[];
  cwd: string | undefined;
  edits: ManifestEdits | undefined;
};

/** Who the project is and what the user took out of it, as far as anything still shows; no other sessions. */
export function rebuildManifest(projectId: ProjectId, traces: Traces): Manifest {
  const { broken, last, replayed, originals, cwd, edits } = traces;
  const field = (name: string) =>
    broken.map((text) => stringField(text, name)).find((value) => value !== undefined);
  const gens = broken.map((text) => Number(/"gen":\s*(\d{1,15})\b/.exec(text.slice(0, HEAD))?.[1] ?? 0));
  const createdAt = field('createdAt') ?? replayed.createdAt ?? '1970-01-01T00:00:00.000Z';
  const { originalPath, displayName, settings = {}, ...rest } = replayed.project;
  // Without any trace the id is all there is to know it by.
  const path = last?.originalPath || field('originalPath') || originalPath || cwd || projectId;
  const name = path.split(/[\\/]/).findLast((part) => part !== '');
  const sessions: Doc = Object.create(null);
  for (const id of replayed.unregistered) {
    if (originals.includes(id)) sessions[id] = sessionFromSeed(id, { registered: false }, createdAt);
  }
  // Registered by the next sync, which does not know whose they are.
  for (const [id, by] of replayed.authors) {
    const isKnown = Object.hasOwn(sessions, id);
    if (by !== undefined && originals.includes(id))
      sessions[id] = isKnown ? { ...(sessions[id] as Doc), by } : sessionFromSeed(id, { by }, createdAt);
  }
  const purged = new Set(replayed.tombstones.map(({ id }) => id));
  for (const [id, name] of Object.entries(edits?.names ?? {})) {
    if (!originals.includes(id) || purged.has(id)) continue;
    const known = Object.hasOwn(sessions, id) ? (sessions[id] as Doc) : sessionFromSeed(id, {}, createdAt);
    sessions[id] = { ...known, name };
  }
  return plainRecords({
    version: MANIFEST_VERSION,
    gen: Math.max(replayed.gen, edits?.gen ?? 0, ...gens),
    projectId,
    originalPath: path,
    displayName: last?.displayName || field('displayName') || displayName || name || projectId,
    createdAt,
    lastModified: createdAt,
    ...rest,
    ...(last?.repository ? { repository: last.repository } : {}),
    ...emptyRecords(),
    ...withReplayed(edits?.lists ?? {}, replayed.edits),
    ...(edits ? { compositions: edits.compositions } : {}),
    sessions: sessions as Manifest['sessions'],
    settings: last?.settings ?? settings,
    tombstones: replayed.tombstones,
  });
}

/** Edits made after the edits were last stored are in the history, at least those of facts and concepts. */
function withReplayed(lists: ManifestEdits['lists'], replayed: Replayed['edits']): ManifestEdits['lists'] {
  const joined = { ...lists };
  for (const list of ['factEdits', 'conceptEdits'] as const) {
    const stored: { editId: string }[] = lists[list] ?? [];
    const known = new Set(stored.map(({ editId }) => editId));
    const later = (replayed[list] ?? []).filter(({ editId }: { editId: string }) => !known.has(editId));
    if (stored.length + later.length > 0) Object.assign(joined, { [list]: [...stored, ...later] });
  }
  return joined;
}

/** The project's own fields are before its sessions. */
const HEAD = 32 * 1024;

function stringField(text: string, name: string): string | undefined {
  const found = new RegExp(`"${name}":\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(text.slice(0, HEAD))?.[1];
  try {
    return found === undefined ? undefined : (JSON.parse(found) as string);
  } catch {
    return undefined;
  }
}
