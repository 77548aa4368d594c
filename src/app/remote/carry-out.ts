import type { ProjectLine } from '../../core/bundle/bundle-line.ts';
import type { Tombstone } from '../../core/model/manifest.ts';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import type { ShareLevel } from '../../core/remote/levels.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import type { Lane, SegmentName } from '../../core/remote/segment-name.ts';
import { textsOf } from '../find/purged-marks.ts';
import type { Repository } from '../repository/repositories.ts';
import { anyProject } from '../segment/any-project.ts';
import { append } from '../segment/append-segment.ts';
import { sealedBytes } from '../segment/left-bytes.ts';
import { recordKeysIn } from '../segment/line-keys.ts';
import { type ComingStone, noteStones } from '../segment/note-stones.ts';
import { type FreshStone, purgeHere } from '../segment/purge-here.ts';
import { isAbandoned, type OpenRemote } from '../segment/remote-record.ts';
import {
  forgetPurged,
  localSegments,
  noteParts,
  ownSegmentFile,
  type RepoState,
  readLocal,
  replicaFile,
  type StreamPlace,
  saveRepoState,
  streamKey,
  streamOfKey,
} from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
import { piecesIn } from '../segment/segment-lines.ts';
import { sentAgain, stoneId } from '../segment/sent-again.ts';
import { type Cleaned, withoutPurged } from '../segment/without-purged.ts';
import type { AuthorOf } from './remote-authors.ts';
import { asSealed, replaceSegment, resealAsLeft, resealSession } from './reseal.ts';

type Pulling = { repo: string; state: RepoState; authorOf: AuthorOf };

/** Purges that came from elsewhere: out of the archive here, out of every segment, and said so. Gives how many others made. */
export async function carryOutPurges(
  remote: OpenRemote,
  pulling: Pulling,
  lines: readonly SegmentLine[],
): Promise<number> {
  const { repo, state } = pulling;
  const coming = await freshStones(remote, pulling, lines);
  if (coming.length === 0) return 0;
  const own = await ownKeys(remote, repo);
  const left = await purgeHere(remote.world, state, coming);
  const noted = await noteStones(remote, repo, coming.filter(isOfSession));
  await leaveOpen(remote, pulling, noted);
  const fresh = coming.filter(({ stone }) => noted.get(stoneId(stone)) !== false);
  await cleanSegments(remote, repo, state, fresh);
  // Said again here: a purge must not be lost with the device that made it.
  const at = remote.world.clock.now();
  const repeated = fresh.map(({ stone }) => {
    const id = stoneId(stone);
    const confirm = { t: 'confirm', tombstone: id, at, left: left.get(id) ?? 0 };
    const isDone = stone.kind !== 'session' || noted.has(id);
    return [{ t: 'tombstone', tombstone: stone }, ...(isDone ? [confirm] : [])];
  });
  const project = await anyProject(remote, repo);
  for (let from = 0; project !== undefined && from < repeated.length; from += MOST_STONES)
    await append(remote, { repo, lane: 'log', state }, [
      project,
      ...repeated.slice(from, from + MOST_STONES).flatMap((its) => its.map((it) => JSON.stringify(it))),
    ]);
  return fresh.filter(({ stone }) => !own.has(stoneKey(stone))).length;
}

/** Someone brought a session in while its purge was carried out: the next sync does it again. */
async function leaveOpen(
  remote: OpenRemote,
  { repo, state }: Pulling,
  noted: ReadonlyMap<string, boolean>,
): Promise<void> {
  if ([...noted.values()].every(Boolean)) return;
  const isOpen = (line: SegmentLine) =>
    line.t === 'tombstone' && noted.get(stoneId(line.tombstone)) === false;
  for (const name of await localSegments(remote, repo, 'replica')) {
    const lines = name.lane === 'log' ? await readLocal(remote, replicaFile(remote, name), name) : undefined;
    if (lines?.some(isOpen)) state.applied.delete(name.id);
  }
}

/** Of one segment, which has a bounded number of lines. */
const MOST_STONES = 200;

function isOfSession({ stone }: FreshStone): boolean {
  return stone.kind === 'session';
}

/** What this machine said itself: others repeat its purges. */
async function ownKeys(remote: OpenRemote, repo: string): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const name of await localSegments(remote, repo, 'own')) {
    if (name.lane !== 'log') continue;
    const lines = (await readLocal(remote, ownSegmentFile(remote, name), name)) ?? [];
    for (const key of recordKeysIn(lines)) keys.add(key);
  }
  return keys;
}

/** Out of the archive, before anything is compared with what is here: who sent the purge has it without. */
export async function purgeArchive(
  remote: OpenRemote,
  pulling: Pulling,
  lines: readonly SegmentLine[],
): Promise<void> {
  const fresh = await freshStones(remote, pulling, lines);
  await purgeHere(remote.world, pulling.state, fresh);
  // Noted before, it would keep away what comes now.
  const alone = fresh.filter((coming) => isOfSession(coming) && coming.again.size === 0);
  await noteStones(remote, pulling.repo, alone);
}

/** Every device that carried a purge out says it again. */
async function freshStones(
  remote: OpenRemote,
  { repo, state, authorOf }: Pulling,
  lines: readonly SegmentLine[],
): Promise<FreshStone[]> {
  const once = new Map<string, ComingStone>();
  let project: ProjectLine | undefined;
  for (const line of lines) {
    if (line.t === 'project') project = line;
    if (line.t !== 'tombstone' || state.keys.has(confirmKey(line.tombstone))) continue;
    const coming = once.get(stoneId(line.tombstone)) ?? { stone: line.tombstone, projects: [] };
    if (project && !coming.projects.some(({ id }) => id === project?.id)) coming.projects.push(project);
    once.set(stoneId(line.tombstone), coming);
  }
  const isMine = (device: string) => authorOf(device) === undefined;
  const stones = [...once.values()].map(({ stone }) => stone);
  const again = await sentAgain(remote, { repo, state, isMine }, stones);
  return [...once].map(([id, coming]) => ({ ...coming, again: again.get(id) ?? new Set() }));
}

/** A part of an original that a light machine downloads to clean it, while another part is missing: the next sync continues. */
export function isUnfinished(
  remote: OpenRemote,
  state: RepoState,
  { lane, id, device }: SegmentName,
): boolean {
  const isPart = remote.record.light === true && lane === 'bytes' && !state.applied.has(id);
  return isPart && isAbandoned(remote, state, device);
}

/** Purges that were made here: out of the segments here before anything else leaves. Returns how many held something of it. */
export async function carryOutOwn(
  remote: OpenRemote,
  repo: string,
  { folders }: Repository,
  state: RepoState,
): Promise<number> {
  const fresh: Tombstone[] = [];
  for (const { projectId } of folders) {
    const { tombstones = [] } = (await remote.world.archive.open(projectId))?.manifest ?? {};
    fresh.push(
      ...tombstones.filter((stone) => !state.keys.has(confirmKey(stone)) && !state.keys.has(stoneKey(stone))),
    );
  }
  if (fresh.length === 0) return 0;
  const stones = fresh.map((stone) => ({ stone, again: new Set<string>() }));
  const cleaned = await cleanSegments(remote, repo, state, stones);
  await saveRepoState(remote, repo, state);
  return cleaned;
}

function stoneKey(stone: Tombstone): string {
  return `t:${stoneId(stone)}`;
}

function confirmKey(stone: Tombstone): string {
  return `p:${stoneId(stone)}`;
}

/** Own segments are sealed again without it; those of others go, and come again as their devices seal them. */
async function cleanSegments(
  remote: OpenRemote,
  repo: string,
  state: RepoState,
  purges: readonly Pick<FreshStone, 'stone' | 'again'>[],
): Promise<number> {
  const { gone, clean } = cleanerOf(purges.map(({ stone }) => stone));
  let cleaned = await cleanOwn(remote, { repo, state, gone }, clean);
  // Registered again here, it is for this machine to send.
  for (const { stone, again } of purges) if (again.size === 0) forgetPurged(state, stone);
  const sentAfter = purges.filter(({ again }) => again.size > 0);
  for (const [device, names] of Map.groupBy(
    await localSegments(remote, repo, 'replica'),
    (it) => it.device,
  )) {
    const its = sentAfter.some(({ again }) => again.has(device))
      ? cleanerOf(purges.flatMap(({ stone, again }) => (again.has(device) ? [] : [stone]))).clean
      : clean;
    for (const name of names) {
      if (isUnfinished(remote, state, name)) continue;
      const lines = await readLocal(remote, replicaFile(remote, name), name);
      if (!lines || !its(lines).isChanged) continue;
      cleaned++;
      await dropReplica(remote, state, name, lines);
    }
  }
  return cleaned;
}

export function cleanerOf(stones: Tombstone[]) {
  const gone = new Set(stones.flatMap(({ kind, id }) => (kind === 'session' ? [id] : [])));
  const mask = new PurgeMask(textsOf(stones));
  return { gone, clean: (lines: readonly SegmentLine[]) => withoutPurged(lines, gone, mask) };
}

type Cleaning = { repo: string; state: RepoState; gone: ReadonlySet<string> };

/** Own segments without what a check removes; returns how many contained some of it. `gone`: sessions of which nothing may stay. */
export async function cleanOwn(
  remote: OpenRemote,
  { repo, state, gone }: Cleaning,
  clean: (lines: readonly SegmentLine[]) => Cleaned,
): Promise<number> {
  let cleaned = 0;
  const touched = new Map<string, StreamPlace>();
  for (const name of await localSegments(remote, repo, 'own')) {
    const lines = await readLocal(remote, ownSegmentFile(remote, name), name);
    if (!lines) continue;
    const left = clean(lines);
    if (!left.isChanged) continue;
    cleaned++;
    for (const key of left.lost) state.keys.delete(key);
    const [piece] = piecesIn(lines);
    // Pieces of a file name its hash, so they are rebuilt from the archive.
    if (piece !== undefined && !gone.has(piece.session) && left.isRewritten)
      touched.set(streamKey(piece, ''), piece);
    else await replaceSegment(remote, state, name, asSealed(left.lines));
  }
  for (const { project, session } of touched.values())
    await sealAgain(remote, repo, state, { project, session, clean });
  for (const session of gone) forgetStream(state, session);
  return cleaned;
}

type SealedAgain = StreamPlace & { clean: (lines: readonly SegmentLine[]) => Cleaned };

/** From the archive what may leave today. Of the rest that left, not a byte more than that. */
async function sealAgain(
  remote: OpenRemote,
  repo: string,
  state: RepoState,
  { project, session, clean }: SealedAgain,
): Promise<void> {
  const stream = { project, session };
  const level = approvedLevel(remote, repo);
  if (level === 'all') return resealSession(remote, repo, state, { ...stream, level });
  const lanes: Lane[] = level === 'talk' ? ['bytes'] : ['bytes', 'talk'];
  if (await resealAsLeft(remote, repo, state, { ...stream, lanes, clean })) {
    if (level === 'talk') await resealSession(remote, repo, state, { ...stream, level, lane: 'talk' });
  } else {
    const most = sealedBytes(state, stream);
    await resealSession(remote, repo, state, { ...stream, level: 'facts', most });
  }
}

function approvedLevel({ record, keys }: OpenRemote, repo: string): ShareLevel | undefined {
  return record.shares.find(({ identity }) => repoTag(keys, identity) === repo)?.approved;
}

function forgetStream(state: RepoState, session: string): void {
  for (const map of [state.sealed, state.places, state.sessions])
    for (const key of map.keys()) if (streamOfKey(key).session === session) map.delete(key);
}

/** Its device seals it again without what is purged; of one that never comes back that is for this machine to do. */
export async function dropReplica(
  remote: OpenRemote,
  state: RepoState,
  name: SegmentName,
  lines: readonly SegmentLine[],
): Promise<void> {
  noteParts(state, name.device, lines);
  state.dropped.add(name.id);
  state.taken.delete(name.device);
  await remote.remotes.files.remove(replicaFile(remote, name));
}
