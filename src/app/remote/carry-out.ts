import type { ProjectLine } from '../../core/bundle/bundle-line.ts';
import type { Tombstone } from '../../core/model/manifest.ts';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import type { ShareLevel } from '../../core/remote/levels.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import type { Lane, SegmentName } from '../../core/remote/segment-name.ts';
import { openProjects } from '../find/projects.ts';
import { textsOf } from '../find/purged-marks.ts';
import { rowsOf } from '../find/sessions.ts';
import { addToOpen } from '../purge/open-purge.ts';
import { findTexts } from '../purge/places.ts';
import { purgeSession } from '../purge/session.ts';
import { finishTexts } from '../purge/text.ts';
import type { Repository } from '../repository/repositories.ts';
import { forgetInMemory } from '../rolling/forget.ts';
import { anyProject } from '../segment/any-project.ts';
import { append } from '../segment/append-segment.ts';
import { sealedBytes } from '../segment/left-bytes.ts';
import { recordKeysIn } from '../segment/line-keys.ts';
import { type ComingStone, noteStone } from '../segment/note-stone.ts';
import { isAbandoned, type OpenRemote } from '../segment/remote-record.ts';
import {
  localSegments,
  noteParts,
  ownSegmentFile,
  piecesIn,
  type RepoState,
  readLocal,
  replicaFile,
  type StreamPlace,
  saveRepoState,
  streamKey,
  streamOfKey,
} from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
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
  const fresh = await freshStones(remote, pulling, lines);
  const own = fresh.length === 0 ? new Set<string>() : await ownKeys(remote, repo);
  for (const coming of fresh) {
    const { stone, again } = coming;
    const left = await purgeHere(remote, state, coming);
    const isNoted = stone.kind !== 'session' || (await noteStone(remote, repo, coming));
    await cleanSegments(remote, repo, state, { stones: [stone], again });
    // Said again here: a purge must not be lost with the device that made it.
    const confirm = { t: 'confirm', tombstone: stoneId(stone), at: remote.world.clock.now(), left };
    const repeated = [{ t: 'tombstone', tombstone: stone }, ...(isNoted ? [confirm] : [])];
    const project = await anyProject(remote, repo);
    if (project !== undefined)
      await append(remote, { repo, lane: 'log', state }, [
        project,
        ...repeated.map((it) => JSON.stringify(it)),
      ]);
  }
  return fresh.filter(({ stone }) => !own.has(stoneKey(stone))).length;
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
  for (const coming of await freshStones(remote, pulling, lines)) {
    await purgeHere(remote, pulling.state, coming);
    // Noted before, it would keep away what comes now.
    if (coming.stone.kind === 'session' && coming.again.size === 0)
      await noteStone(remote, pulling.repo, coming);
  }
}

/** `again`: devices that sent its session after it. */
type FreshStone = ComingStone & { again: ReadonlySet<string> };

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

/** What came from a device that nobody speaks for any more may hold what was purged before: it must not stay. */
export async function dropLate(remote: OpenRemote, repo: string, state: RepoState): Promise<void> {
  const stones = (await openProjects(remote.world)).flatMap(({ tombstones }) => tombstones);
  if (stones.length === 0) return;
  const gone = new Set(stones.flatMap(({ kind, id }) => (kind === 'session' ? [id] : [])));
  const mask = new PurgeMask(textsOf(stones));
  for (const name of await localSegments(remote, repo, 'replica')) {
    if (!isAbandoned(remote, state, name.device) || isUnfinished(remote, state, name)) continue;
    const lines = await readLocal(remote, replicaFile(remote, name), name);
    if (lines && withoutPurged(lines, gone, mask).isChanged) await dropReplica(remote, state, name, lines);
  }
}

/** A part of an original that a light machine downloads to clean it, while another part is missing: the next sync continues. */
function isUnfinished(remote: OpenRemote, state: RepoState, { lane, id, device }: SegmentName): boolean {
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
  const cleaned = await cleanSegments(remote, repo, state, { stones: fresh });
  await saveRepoState(remote, repo, state);
  return cleaned;
}

function stoneKey(stone: Tombstone): string {
  return `t:${stoneId(stone)}`;
}

function confirmKey(stone: Tombstone): string {
  return `p:${stoneId(stone)}`;
}

async function purgeHere(
  { world }: OpenRemote,
  state: RepoState,
  { stone, again }: FreshStone,
): Promise<number> {
  if (stone.kind !== 'session') {
    // Only marks of it are known here: it is carried out as one that was cut off.
    for (const project of await world.archive.projects())
      await addToOpen(world, project, { stones: [stone], excerpts: [] });
    await finishTexts(world);
    return (await findTexts(world, await openProjects(world), textsOf([stone]))).files.length;
  }
  const sent = streamsFrom(state, again, stone.id);
  let left = 0;
  for (const manifest of await openProjects(world)) {
    // Its entries may have come from a machine that did not know of the purge, without the session.
    if (!Object.hasOwn(manifest.sessions, stone.id))
      await forgetInMemory(world, manifest.projectId, stone.id);
    for (const row of rowsOf(manifest)) {
      const isIts = row.sessionId === stone.id || row.sessionId.startsWith(`${stone.id}@`);
      if (!isIts || sent.has(streamKey({ project: row.projectId, session: row.sessionId }, ''))) continue;
      // Registered again where this very purge was known: the user wants it. Times of two machines say nothing by themselves.
      const known = stoneId({ ...stone, id: row.sessionId });
      const isKnown = manifest.tombstones.some((it) => stoneId(it) === known);
      if (!isKnown || row.registeredAt <= stone.at)
        left += (await purgeSession(world, row, stone.at)).left.length;
    }
  }
  return left;
}

/** What a session of some devices is called here. */
function streamsFrom({ streams }: RepoState, devices: ReadonlySet<string>, session: string): Set<string> {
  const found = [...streams].filter(([source]) => {
    const [device = '', , theirs] = source.split('/');
    return devices.has(device) && theirs === session;
  });
  return new Set(found.map(([, stream]) => stream));
}

/** Own segments are sealed again without it; those of others go, and come again as their devices seal them. */
async function cleanSegments(
  remote: OpenRemote,
  repo: string,
  state: RepoState,
  { stones, again }: { stones: readonly Tombstone[]; again?: ReadonlySet<string> },
): Promise<number> {
  const sessions = new Set(stones.flatMap(({ kind, id }) => (kind === 'session' ? [id] : [])));
  const mask = new PurgeMask(textsOf([...stones]));
  const clean = (lines: readonly SegmentLine[]) => withoutPurged(lines, sessions, mask);
  let cleaned = await cleanOwn(remote, { repo, state, gone: sessions }, clean);
  for (const name of await localSegments(remote, repo, 'replica')) {
    if (again?.has(name.device) || isUnfinished(remote, state, name)) continue;
    const lines = await readLocal(remote, replicaFile(remote, name), name);
    if (!lines || !clean(lines).isChanged) continue;
    cleaned++;
    await dropReplica(remote, state, name, lines);
  }
  return cleaned;
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
async function dropReplica(
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
