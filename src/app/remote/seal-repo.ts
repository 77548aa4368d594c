import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import type { ShareLevel } from '../../core/remote/levels.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import type { MaskedPlace } from '../bundle/export-files.ts';
import { allRepositories, type Repository } from '../repository/repositories.ts';
import { append } from '../segment/append-segment.ts';
import { leftBehind } from '../segment/left-bytes.ts';
import { namedPrivate } from '../segment/line-keys.ts';
import { newRecords } from '../segment/new-records.ts';
import { privateAmong, readPrivate } from '../segment/private-sessions.ts';
import type { OpenRemote, Share } from '../segment/remote-record.ts';
import { loadRepoState, type RepoState, saveRepoState, streamKey } from '../segment/repo-state.ts';
import { SEGMENT_BYTES, sessionPieces } from '../segment/session-pieces.ts';
import { stampHash } from '../segment/stamp-hash.ts';
import { dropPrefixes } from './drop-session.ts';
import { resealSession } from './reseal.ts';

export type LeavingRow = {
  projectId: string;
  sessionId: string;
  title: string;
  bytes: number;
  /** How often a secret is masked in it, and where the first ones are. */
  masked: number;
  places: MaskedPlace[];
};

/** What would leave, or left. */
export type SealReport = {
  name: string;
  level: ShareLevel;
  sessions: LeavingRow[];
  /** Records of all kinds. */
  records: number;
  bytes: number;
  /** Sessions that stay here because they are private. */
  secret: number;
};

export type SealOptions = {
  dryRun?: boolean;
  /** What is known of the repository, where it was read before. */
  state?: RepoState;
  onSession?: (session: string) => void;
  signal?: AbortSignal | undefined;
};

const MOST_PLACES = 20;

/** Puts what is new of a repository into segments of its own, on the disk here. Nothing leaves by it. */
export async function sealRepo(
  remote: OpenRemote,
  repository: Repository,
  level: ShareLevel,
  options: SealOptions = {},
): Promise<SealReport> {
  const { world } = remote;
  const repo = repoTag(remote.keys, repository.key);
  const report: SealReport = { name: repository.name, level, sessions: [], records: 0, bytes: 0, secret: 0 };
  const state = options.state ?? (await loadRepoState(remote, repo));
  const listed = await readPrivate(world);
  const withheld = await withheldFolders(remote, repository, options);
  const stamps = await world.archive.stamps();
  const folders = repository.folders.map(({ projectId }) => projectId);
  const look = stampHash([
    level,
    ...[...listed, ...withheld].sort(),
    ...folders.map((id) => `${id} ${stamps.get(id)}`),
  ]);
  const isKnownStamp = folders.every((id) => (stamps.get(id) ?? '') !== '');
  if (isKnownStamp && state.looked === look && !options.dryRun) return report;
  if (!options.dryRun) await dropPrefixes(remote, { repo, state }, folders);
  const secret = new Set(listed);
  for (const projectId of listed.size === 0 ? [] : folders) {
    const { sessions = {} } = (await world.archive.open(projectId))?.manifest ?? {};
    for (const id of privateAmong(listed, Object.keys(sessions))) secret.add(id);
  }
  const named = namedPrivate(state.keys);
  const unnamed = new Set([...secret].filter((id) => !named.has(streamBase(id))));
  let isWithheld = false;
  for (const projectId of folders) {
    const manifest = (await world.archive.open(projectId))?.manifest;
    if (!manifest || manifest.sample) continue;
    const isTeam = remote.record.member !== undefined;
    const isKnown = (key: string) => state.keys.has(key);
    const mayReview = !hasReviews(manifest, isKnown) || ((await remote.store.mayReview?.(repo)) ?? true);
    // They leave once this user may review there.
    isWithheld ||= !mayReview;
    const leaving = { level, secret, unnamed, withheld, isTeam, mayReview, isKnown };
    const records = await newRecords(world, manifest, leaving);
    report.records += countRecords(records);
    if (records.length > 0 && !options.dryRun) await sealRecords(remote, repo, state, records);
    await sealSessions(remote, { repo, state, manifest, secret, level }, report, options);
  }
  if (options.dryRun) return report;
  // Stopped in between: the next sync seals the rest.
  state.looked = isWithheld || options.signal?.aborted ? '' : look;
  await saveRepoState(remote, repo, state);
  return report;
}

/** Behind the line of the folder; that alone has names and settings. A file counts once. */
function countRecords([head, ...lines]: readonly string[]): number {
  if (head !== undefined && lines.length === 0) return 1;
  return lines.filter((line) => !/^\{"t":"(?:data|eof)"/.test(line)).length;
}

/** Folders of other projects, of which no conversation may leave. A preview shows what leaves once all that is asked for is approved. */
async function withheldFolders(
  { world, record }: OpenRemote,
  { key: own }: Repository,
  { dryRun }: SealOptions,
): Promise<Set<ProjectId>> {
  const levelOf = ({ level, approved }: Share) => (dryRun ? level : approved);
  const leaving = new Set(
    record.shares.flatMap((it) => (['talk', 'all'].includes(levelOf(it) ?? '') ? [it.identity] : [])),
  );
  const others = (await allRepositories(world)).filter(({ key }) => key !== own && !leaving.has(key));
  return new Set(others.flatMap(({ folders }) => folders.map(({ projectId }) => projectId)));
}

/** Whether there is something that only a reviewer may send. */
function hasReviews({ factEdits = [] }: Manifest, isKnown: (key: string) => boolean): boolean {
  return factEdits.some(
    ({ action, author, editId }) =>
      action === 'team-review' && author === undefined && !isKnown(`f:${editId}`),
  );
}

type Sealing = {
  repo: string;
  state: RepoState;
  manifest: Manifest;
  secret: ReadonlySet<string>;
  level: ShareLevel;
};

async function sealSessions(
  remote: OpenRemote,
  { repo, state, manifest, secret, level }: Sealing,
  report: SealReport,
  { dryRun, onSession, signal }: SealOptions,
): Promise<void> {
  for (const row of Object.values(manifest.sessions)) {
    if (signal?.aborted) return;
    const { sessionId } = row;
    // Among several people each sends their own.
    if (row.by !== undefined && remote.record.member !== undefined) continue;
    if (secret.has(sessionId)) {
      report.secret++;
      continue;
    }
    onSession?.(sessionId);
    const look = sessionLook(manifest, row, level);
    const stream = { project: manifest.projectId, session: sessionId };
    const key = streamKey(stream, '');
    if (state.sessions.get(key) === look) continue;
    const most = level === 'all' ? undefined : leftBehind(state, stream);
    if (level === 'facts' && !most) continue;
    const leaving = { manifest, session: sessionId, level, most };
    let pieces = await sessionPieces(remote.world, leaving, state);
    if (pieces.changed && !dryRun) {
      await resealSession(remote, repo, state, { ...stream, level, most });
      pieces = await sessionPieces(remote.world, leaving, state);
    }
    for (const { lane, lines } of dryRun ? [] : pieces.segments)
      await append(remote, { repo, lane, state }, lines);
    if (!dryRun) state.sessions.set(key, look);
    if (pieces.segments.length === 0) continue;
    const title = row.name ?? row.metadata.title ?? '';
    const { bytes, masked } = pieces;
    report.bytes += bytes;
    report.sessions.push({
      projectId: manifest.projectId,
      sessionId,
      title,
      bytes,
      masked: masked.length,
      places: masked.slice(0, MOST_PLACES),
    });
  }
}

/** As long as this is the same, there is nothing to seal of a session. */
function sessionLook(
  { parts, overlays }: Manifest,
  { lastAccessed: _, ...row }: SessionRecord,
  level: ShareLevel,
): string {
  const own = overlays.filter((it) => it.sessionId === row.sessionId);
  return stampHash([level, JSON.stringify([row, parts[row.sessionId], own])]);
}

/** Purges come first, in a separate segment: receivers learn of them before anything else. */
async function sealRecords(
  remote: OpenRemote,
  repo: string,
  state: RepoState,
  [head, ...records]: string[],
): Promise<void> {
  // A name or a setting alone is in the line of the folder.
  if (records.length === 0) await append(remote, { repo, lane: 'log', state }, [head!]);
  const isPurge = (line: string) => line.startsWith('{"t":"tombstone"');
  for (const lines of [records.filter(isPurge), records.filter((line) => !isPurge(line))]) {
    let [open, size]: [string[], number] = [[], 0];
    const flush = async () => {
      if (open.length > 0) await append(remote, { repo, lane: 'log', state }, [head!, ...open]);
      [open, size] = [[], 0];
    };
    for (const [index, line] of lines.entries()) {
      open.push(line);
      size += line.length;
      const isWhole =
        !/^\{"t":"(?:file|data)"/.test(line) && !/^\{"t":"(?:data|eof|file)"/.test(lines[index + 1] ?? '');
      if (size >= SEGMENT_BYTES && isWhole) await flush();
    }
    await flush();
  }
}
