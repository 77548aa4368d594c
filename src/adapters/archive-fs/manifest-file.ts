import { open } from 'node:fs/promises';
import { MANIFEST_VERSION } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { RepositoryNote } from '../../core/model/repository.ts';
import { sha256 } from '../../core/model/sha256.ts';
import { ifThere } from './disk-fault.ts';
import { clockOf } from './edit-clock.ts';
import type { SeenManifest } from './seen-manifest.ts';
import { readFully } from './write-file.ts';

/*
 * manifest.json is one JSON object, a session a line. Its first line is complete in itself: who the project is, its
 * generation, the checksum of every byte after that line, and a checksum of the line up to there.
 * {"version":"1.0.0","gen":7,"checksum":"…","projectId":"…","originalPath":"…","displayName":"…","settings":{},"repository":{},"clock":0,"headChecksum":"…",
 */
export type ManifestHead = {
  version: string;
  gen: number;
  checksum: string;
  projectId: string;
  originalPath: string;
  displayName: string;
  settings?: Record<string, unknown>;
  repository?: RepositoryNote;
  clock?: number;
};

export type Doc = Record<string, unknown>;

export type ReadManifest =
  | { state: 'sound'; manifest: Manifest }
  /** Valid JSON, but not as we wrote it: by hand, by another program, or before Keepsake. */
  | { state: 'foreign'; doc: Doc }
  | { state: 'broken' }
  | { state: 'missing' };

const HEAD_END = /,"headChecksum":"([0-9a-f]{64})",$/;
const CHECKSUM = /"checksum":"([0-9a-f]{64})"/;
const HEAD_GUESS = 4096;
const RECORDS = ['sessions', 'compositions', 'settings', 'parts'] as const;

export function formatManifest(manifest: Manifest): Buffer {
  const { version, gen, projectId, originalPath, displayName, settings, repository, ...rest } = manifest;
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        `${JSON.stringify(key)}:${key === 'sessions' ? byLine(value) : JSON.stringify(value)}`,
    );
  const body = Buffer.from(`${fields.join(',\n')}\n}\n`);
  const who = { projectId, originalPath, displayName, settings, repository, clock: clockOf(manifest) };
  const head = JSON.stringify({ version, gen, checksum: sha256(body), ...who });
  const open = head.slice(0, -1);
  return Buffer.concat([Buffer.from(`${open},"headChecksum":"${sha256(Buffer.from(open))}",\n`), body]);
}

function byLine(sessions: unknown): string {
  const lines = Object.entries(sessions as Doc).map(
    ([id, record]) => `${JSON.stringify(id)}:${JSON.stringify(record)}`,
  );
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n}`;
}

/** Throws only when a newer Keepsake wrote it. `seen`: its bytes need not be hashed where someone did. */
export function parseManifest(bytes: Buffer | undefined, path: string, seen?: SeenManifest): ReadManifest {
  if (bytes === undefined) return { state: 'missing' };
  const newline = bytes.indexOf(10);
  const head = newline < 0 ? undefined : parseHead(bytes.subarray(0, newline), seen);
  let doc: unknown;
  try {
    doc = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { state: 'broken' };
  }
  if (typeof doc !== 'object' || doc === null || Array.isArray(doc)) return { state: 'broken' };
  refuseNewer((doc as Doc).version, path);
  const { checksum, headChecksum, clock, ...fields } = doc as Doc;
  if (head && isSound(head.checksum, bytes.subarray(newline + 1), seen)) {
    return { state: 'sound', manifest: withPlainRecords(fields) as Manifest };
  }
  return { state: 'foreign', doc: withPlainRecords(fields) };
}

function isSound(checksum: string, body: Buffer, seen: SeenManifest | undefined): boolean {
  if (seen?.isSound(checksum)) return true;
  if (checksum !== sha256(body)) return false;
  seen?.note(checksum);
  return true;
}

/** Undefined unless the line is exactly as we wrote it. */
function parseHead(line: Buffer, seen: SeenManifest | undefined): ManifestHead | undefined {
  const text = line.toString('utf8');
  const end = HEAD_END.exec(text);
  if (!end) return undefined;
  const open = text.slice(0, end.index);
  // Ahead of all that others may have written.
  const checksum = CHECKSUM.exec(open)?.[1] ?? '';
  if (!seen?.isSound(checksum) && sha256(Buffer.from(open)) !== end[1]) return undefined;
  return JSON.parse(`${open}}`) as ManifestHead;
}

/** Reads the first line only. `unsound`: something is there, but not what we wrote. */
export async function readHead(
  path: string,
  seen?: SeenManifest,
): Promise<ManifestHead | 'unsound' | undefined> {
  const file = await ifThere(open(path, 'r'));
  if (file === undefined) return undefined;
  try {
    for (let size = HEAD_GUESS; ; size *= 4) {
      const bytes = await readFully(file, Buffer.allocUnsafe(size), 0);
      const newline = bytes.indexOf(10);
      if (newline < 0 && bytes.length === size && size < 1 << 20) continue;
      const head = newline < 0 ? undefined : parseHead(bytes.subarray(0, newline), seen);
      if (head) refuseNewer(head.version, path);
      return head ?? 'unsound';
    }
  } finally {
    await file.close();
  }
}

function refuseNewer(version: unknown, path: string): void {
  const major = typeof version === 'string' ? Number.parseInt(version, 10) : Number(version ?? 0);
  if (!(major > Number.parseInt(MANIFEST_VERSION, 10))) return;
  throw new Fault(
    'newer-version',
    `${path} was written by a newer version of Keepsake (version ${String(version)}).`,
    {
      hint: 'Update Keepsake. Nothing was changed.',
    },
  );
}

/** Keys come from outside: no prototype may answer for them. */
function withPlainRecords(doc: Doc): Doc {
  for (const key of RECORDS) {
    if (typeof doc[key] === 'object' && doc[key] !== null)
      doc[key] = Object.assign(Object.create(null), doc[key]);
  }
  return doc;
}

export function plainRecords(manifest: Manifest): Manifest {
  return withPlainRecords({ ...manifest }) as Manifest;
}
