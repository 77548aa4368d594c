import type { SessionLine } from '../../core/bundle/bundle-line.ts';
import type { Tombstone } from '../../core/model/manifest.ts';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import type { SegmentName } from '../../core/remote/segment-name.ts';
import { recordKeys } from './line-keys.ts';
import type { OpenRemote } from './remote-record.ts';
import {
  loadRepoState,
  localSegments,
  type RepoState,
  readLocal,
  replicaFile,
  saveRepoState,
} from './repo-state.ts';
import type { SegmentLine } from './segment-lines.ts';
import { withoutPurged } from './without-purged.ts';

type SentIn = { repo: string; state: RepoState; isMine: (device: string) => boolean };
/** When a device said that it carried a purge out; undefined where it only names it. */
type Said = Map<string, string | undefined>;

/** How a purge is called where it is confirmed. */
export function stoneId({ kind, id, at }: Tombstone): string {
  return `${kind}:${id}:${at}`;
}

/**
 * Devices that know of a purge and sent its session after it, by the purge: there the user registered it again, as its line says.
 * Their old segments may still be in the store when they say the purge.
 */
export async function sentAgain(
  remote: OpenRemote,
  { repo, state, isMine }: SentIn,
  stones: readonly Tombstone[],
): Promise<Map<string, Set<string>>> {
  const again = new Map<string, Set<string>>();
  const purged = stones.filter(({ kind }) => kind === 'session');
  if (purged.length === 0) return again;
  const names = (await localSegments(remote, repo, 'replica')).filter(
    ({ id, device }) => !state.dropped.has(id) && isMine(device),
  );
  for (const [device, its] of Map.groupBy(names, (name) => name.device)) {
    const said = await saidIn(remote, its);
    const known = purged.flatMap((stone) => knownPurge(said, stone, idAt(device, stone.id)) ?? []);
    for (const { stone } of await sentAfter(remote, its, known))
      again.set(stoneId(stone), (again.get(stoneId(stone)) ?? new Set()).add(device));
  }
  return again;
}

/** What a device calls the session of a purge: its own stream is called by its name elsewhere. */
export function idAt(device: string, session: string): string {
  const base = streamBase(session);
  return session === `${base}@${device.slice(0, 8)}` ? base : session;
}

/** A session that a device sends, what it is called there, and its purges. */
export type PurgedBefore = { session: string; theirs: string; stones: readonly Tombstone[] };

/** A purge that a device said, and what its session is called there. `isOther`: what it carried out is a stream with another name. */
type KnownPurge = { stone: Tombstone; theirs: string; done: string | undefined; isOther: boolean };

/** A stream that is called otherwise there was purged with the others, or by its name here. */
function knownPurge(said: Said, stone: Tombstone, theirs: string): KnownPurge | undefined {
  const [own, here] = [stoneId({ ...stone, id: theirs }), stoneId(stone)];
  const id = [own, here].find((it) => said.has(it));
  return id === undefined ? undefined : { stone, theirs, done: said.get(id), isOther: id !== own };
}

/**
 * Of sessions that were purged here before, those that come back: after every purge of them that is known here. `unsure`: their
 * device has not said of all of them that it knows them, which may be on its way. `stored`: segments that are in the store alone.
 */
export async function comeBack(
  remote: OpenRemote,
  { repo, state, device }: { repo: string; state: RepoState; device: string },
  purged: readonly PurgedBefore[],
  stored: readonly SegmentLine[][] = [],
): Promise<{ back: Set<string>; unsure: Set<string> }> {
  const found = { back: new Set<string>(), unsure: new Set<string>() };
  if (purged.length === 0) return found;
  const its = (await localSegments(remote, repo, 'replica')).filter(
    (name) => name.device === device && !state.dropped.has(name.id),
  );
  const said = await saidIn(remote, its);
  const known = purged.flatMap(({ stones, theirs }) =>
    stones.flatMap((stone) => knownPurge(said, stone, theirs) ?? []),
  );
  const after = new Set((await sentAfter(remote, its, known)).map(({ stone }) => stone));
  for (const purge of known) if (stored.some((lines) => isAfter(lines, purge))) after.add(purge.stone);
  const isSaid = new Set(known.map(({ stone }) => stone));
  for (const { session, stones } of purged) {
    if (stones.every((stone) => after.has(stone))) found.back.add(session);
    else if (!stones.every((stone) => isSaid.has(stone))) found.unsure.add(session);
  }
  return found;
}

/**
 * Before sessions come back: what was said of them after their purges could not be taken in without them. It is looked at again, also
 * after a kill. True where there is some.
 */
export async function reopenRecords(
  remote: OpenRemote,
  { repo, state }: { repo: string; state: RepoState },
  back: readonly PurgedBefore[],
): Promise<boolean> {
  const found: string[] = [];
  const names = back.length === 0 ? [] : await localSegments(remote, repo, 'replica');
  const logs = names.filter(({ lane, id }) => lane === 'log' && !state.dropped.has(id));
  for (const its of Map.groupBy(logs, ({ device }) => device).values()) {
    const said = await saidIn(remote, its);
    const known = back.map(({ theirs, stones }) => ({
      theirs,
      purges: stones.map((stone) => knownPurge(said, stone, theirs)),
    }));
    for (const name of its) {
      if (!state.applied.has(name.id)) continue;
      const lines = (await readLocal(remote, replicaFile(remote, name), name)) ?? [];
      const isAfterIt = (purge: KnownPurge | undefined) =>
        purge !== undefined && sealedAt(lines) > (purge.done ?? purge.stone.at);
      const after = known.filter(({ purges }) => purges.every(isAfterIt));
      const sessions = new Set(after.map(({ theirs }) => theirs));
      if (withoutPurged(lines, sessions, new PurgeMask([])).isChanged) found.push(name.id);
    }
  }
  if (found.length === 0) return false;
  const stored = await loadRepoState(remote, repo);
  for (const id of found) for (const { applied } of [state, stored]) applied.delete(id);
  await saveRepoState(remote, repo, stored);
  return true;
}

async function saidIn(remote: OpenRemote, its: readonly SegmentName[]): Promise<Said> {
  const said: Said = new Map();
  for (const name of its)
    if (name.lane === 'log') noteSaid(said, (await readLocal(remote, replicaFile(remote, name), name)) ?? []);
  return said;
}

/** Purges that a device knew when it sealed their session again. */
async function sentAfter(
  remote: OpenRemote,
  its: readonly SegmentName[],
  known: readonly KnownPurge[],
): Promise<KnownPurge[]> {
  const after = new Set<KnownPurge>();
  for (const name of known.length === 0 ? [] : its) {
    const lines = (await readLocal(remote, replicaFile(remote, name), name)) ?? [];
    for (const purge of known) if (isAfter(lines, purge)) after.add(purge);
  }
  return [...after];
}

function noteSaid(said: Said, lines: readonly SegmentLine[]): void {
  for (const line of lines) {
    if (line.t !== 'tombstone' && line.t !== 'confirm') continue;
    const id = recordKeys(line)[0]!.slice(2);
    const before = said.get(id);
    if (line.t === 'tombstone') said.set(id, before);
    else said.set(id, before !== undefined && before > line.at ? before : line.at);
  }
}

/** Whether a segment contains the session as it is again after the purge. */
function isAfter(lines: readonly SegmentLine[], purge: KnownPurge): boolean {
  const { stone, theirs, isOther } = purge;
  return lines.some((line) => {
    if (line.t !== 'session' || line.record.sessionId !== theirs) return false;
    // An earlier version did not say it.
    if (line.after === undefined) return isLater(line, lines, purge);
    // A purge by another name is not in the record of its session.
    return isOther ? line.after.length > 0 && isLater(line, lines, purge) : line.after.includes(stone.at);
  });
}

/** Sealed once its machine had carried the purge out; of copies of one disk the clocks of two are compared by it. */
function isLater(
  { record }: SessionLine,
  lines: readonly SegmentLine[],
  { stone, done, isOther }: KnownPurge,
): boolean {
  const carriedOut = done ?? stone.at;
  if (sealedAt(lines) <= carriedOut) return false;
  return (done !== undefined && !isOther) || record.registeredAt > carriedOut;
}

/** By the clock of its machine. */
export function sealedAt(lines: readonly SegmentLine[]): string {
  return lines.find((line) => line.t === 'device')?.at ?? '';
}
