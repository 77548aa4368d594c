import { createHash } from 'node:crypto';
import type { BundleFile, BundleLine, ProjectLine } from '../../core/bundle/bundle-line.ts';
import { bundleFileSchema } from '../../core/bundle/bundle-line.ts';
import { maskSecrets } from '../../core/bundle/mask-secrets.ts';
import { fieldRecords } from '../../core/model/field-state.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { versionFolder } from '../compress/version-files.ts';
import { originalName } from '../find/session-ref.ts';
import { inspectJournal, JOURNAL } from '../journal/place.ts';
import { memoryRecords } from '../rolling/memory-records.ts';
import { readRollingState } from '../rolling/state.ts';
import type { World } from '../world.ts';
import { templateFacts } from './export-facts.ts';
import { type FileOptions, fileLines, type MaskedPlace, maskFor } from './export-files.ts';

const PIECE = 1 << 20;
const LONGEST_PAGE = 64 * 1024 * 1024;

/** `masked`: by session, the places where secrets were masked. */
export type Tally = { sessions: number; masked: Map<string, MaskedPlace[]>; missing: string[] };
export type ExportOptions = {
  /** Secrets stay as they are. */
  secrets: boolean;
  /** Sessions and what is made of them stay at home. */
  template: boolean;
  /** Only these sessions, and nothing else of the project. */
  only?: ReadonlySet<string> | undefined;
  onSession?: (record: SessionRecord) => void;
};

/** All that is known of a project, as lines of a bundle. */
export async function* projectLines(
  world: World,
  manifest: Manifest,
  options: ExportOptions,
  tally: Tally,
): AsyncGenerator<BundleLine> {
  const project = manifest.projectId;
  yield {
    ...projectLine(manifest, options),
    ...(options.only ? {} : await memoryRecords(world, project, options.secrets ? undefined : maskSecrets)),
  };
  if (!options.template) {
    const { sessions: cursors } = await readRollingState(world, project);
    for (const record of Object.values(manifest.sessions)) {
      if (options.only && !options.only.has(record.sessionId)) continue;
      options.onSession?.(record);
      const cursor = Object.hasOwn(cursors, record.sessionId) ? cursors[record.sessionId] : undefined;
      yield* sessionLines(world, { manifest, record, cursor }, options, tally);
    }
    for (const overlay of manifest.overlays)
      if (!options.only || options.only.has(overlay.sessionId)) yield { t: 'overlay', overlay };
  }
  if (options.only) return;
  yield* recordLines(world, manifest, options);
  yield* journalLines(world, manifest, options);
}

/** What was decided and written down besides the sessions. */
export async function* recordLines(
  world: World,
  manifest: Manifest,
  options: ExportOptions,
): AsyncGenerator<BundleLine> {
  for (const tombstone of manifest.tombstones) yield { t: 'tombstone', tombstone };
  for (const edit of manifest.factEdits ?? []) yield { t: 'fact', edit };
  if (options.template) for (const edit of await templateFacts(world, manifest)) yield { t: 'fact', edit };
  else {
    for (const edit of manifest.conceptEdits ?? []) yield { t: 'concept', edit };
    for (const link of manifest.links) yield { t: 'link', link };
    yield* compositionLines(world, manifest);
  }
  yield* memoryLines(world, manifest.projectId, options);
}

/** What a project is called, where it is and what is set for it. */
export function projectLine(manifest: Manifest, { only, template }: ExportOptions): ProjectLine {
  const { projectId, originalPath, displayName, createdAt, gitRemote, repository, settings, sample } =
    manifest;
  return {
    t: 'project',
    id: projectId,
    path: originalPath,
    name: displayName,
    createdAt,
    ...(gitRemote ? { gitRemote } : {}),
    ...(repository ? { repository } : {}),
    settings,
    ...(sample ? { sample } : {}),
    fields: fieldRecords({ ...manifest, sessions: Object.values(manifest.sessions) }).filter(
      ({ field, key }) => field !== 'session' || !(template || (only && !only.has(key))),
    ),
  };
}

/** `cursor`: how far rolling memory has read it. */
type RecordedSession = {
  manifest: Manifest;
  record: SessionRecord;
  cursor: { src: number; bytes: number } | undefined;
};

/** Its own files, its versions, and then its record: by then it is known whether something was masked. */
async function* sessionLines(
  world: World,
  { manifest, record, cursor }: RecordedSession,
  options: ExportOptions,
  tally: Tally,
): AsyncGenerator<BundleLine> {
  const project = manifest.projectId;
  const session = record.sessionId;
  const { originals, files } = world.archive;
  const onMasked = (place: MaskedPlace) => {
    const places = tally.masked.get(session);
    if (places) places.push(place);
    else tally.masked.set(session, [place]);
  };
  if ((await originals.size(project, originalName(session))) === undefined) {
    tally.missing.push(session);
    return;
  }
  for (const name of [originalName(session), ...(await originals.list(project, session))]) {
    const [, ...path] = name.split('/');
    const file = bundleFileSchema.safeParse(
      path.length === 0 ? { kind: 'original', session } : { kind: 'beside', session, path },
    ).data;
    if (!file) continue;
    const mask: FileOptions = options.secrets ? {} : { mask: await maskFor(world, project, name), onMasked };
    yield* fileLines(file, world.sessionFiles.read(originals.path(project, name)), mask);
  }
  const isMasked = tally.masked.has(record.sessionId);
  for (const { versionId, file: base } of record.compressions) {
    for (const ending of ['md', 'jsonl'] as const) {
      const bytes = await files.read(project, `${versionFolder(session)}/${base}.${ending}`);
      if (bytes)
        yield* fileLines({ kind: 'version', session, versionId, ending }, [
          withoutHash(bytes, isMasked && ending === 'jsonl'),
        ]);
    }
  }
  tally.sessions++;
  yield {
    t: 'session',
    record: { ...(isMasked ? withoutHashes(record) : record), sessionId: session },
    l1: { bytes: record.l1.bytes, sha256: await hashOfL1(world, project, record) },
    parts: manifest.parts[session] ?? [],
    ...(cursor ? { cursor } : {}),
  };
}

/** The hash of a text whose secrets are masked would let them be guessed. */
function withoutHashes(record: SessionRecord): SessionRecord {
  const { metadata } = record;
  return {
    ...record,
    originalHash: '',
    beside: (record.beside ?? []).map((file) => ({ ...file, hash: '' })),
    metadata: { ...metadata, subSessions: metadata.subSessions.map(({ hash: _, ...sub }) => sub) },
    compressions: record.compressions.map((version) => ({ ...version, inputHash: '', jsonlHash: '' })),
  };
}

function withoutHash(bytes: Buffer, isMasked: boolean): Buffer {
  if (!isMasked) return bytes;
  return Buffer.from(bytes.toString('utf8').replace(/"inputHash":"[0-9a-f]{64}"/, '"inputHash":""'));
}

async function hashOfL1(world: World, project: ProjectId, { l1 }: SessionRecord): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; l1.file !== '' && at < l1.bytes; at += PIECE)
    hash.update(await world.archive.files.readAt(project, l1.file, at, Math.min(PIECE, l1.bytes - at)));
  return hash.digest('hex');
}

async function* compositionLines(world: World, manifest: Manifest): AsyncGenerator<BundleLine> {
  const project = manifest.projectId;
  for (const [name, record] of Object.entries(manifest.compositions)) {
    for (const ending of ['md', 'jsonl', 'json'] as const) {
      const file = ending === 'json' ? 'composition.json' : `composed.${ending}`;
      const bytes = await world.archive.files.read(project, `composed/${name}/${file}`);
      if (bytes) yield* fileLines({ kind: 'composition', name, ending }, [bytes]);
    }
    yield { t: 'composition', record };
  }
}

/** memory.md, its archives and the notes. Facts and concepts are rebuilt from the sessions. */
async function* memoryLines(
  world: World,
  project: ProjectId,
  { secrets }: ExportOptions,
): AsyncGenerator<BundleLine> {
  for (const path of await world.archive.files.list(project, 'memory')) {
    const file = bundleFileSchema.safeParse({ kind: 'memory', name: path.replace(/^archive\//, '') }).data;
    const bytes = file && (await world.archive.files.read(project, `memory/${path}`));
    if (file && bytes) yield* fileLines(file, [bytes], secrets ? {} : { mask: maskSecrets });
  }
}

/** Only one that this archive made or approved: what came with a clone is not the user's to pass on. */
async function* journalLines(
  world: World,
  manifest: Manifest,
  { secrets }: ExportOptions,
): AsyncGenerator<BundleLine> {
  const root = manifest.originalPath;
  if (root === '' || (await world.machine.accessTo(root)) === 'missing') return;
  const journal = await inspectJournal(world, { project: manifest.projectId, root, known: true });
  if (journal.state !== 'ours') return;
  for (const { name } of journal.files) {
    const path = name.slice(JOURNAL.length + 1).split('/');
    const file: BundleFile | undefined = bundleFileSchema.safeParse({ kind: 'journal', path }).data;
    if (!file || !name.endsWith('.md')) continue;
    const bytes = await world.projectFiles.read(root, name, LONGEST_PAGE);
    if (bytes) yield* fileLines(file, [bytes], secrets ? {} : { mask: maskSecrets });
  }
}
