import type { Tombstone } from '../../core/model/manifest.ts';
import { recordKeys } from './line-keys.ts';
import type { OpenRemote } from './remote-record.ts';
import { localSegments, type RepoState, readLocal, replicaFile } from './repo-state.ts';
import type { SegmentLine } from './segment-lines.ts';

type SentIn = { repo: string; state: RepoState; isMine: (device: string) => boolean };
/** When a device said that it carried a purge out; undefined where it only names it. */
type Said = Map<string, string | undefined>;

/** How a purge is called where it is confirmed. */
export function stoneId({ kind, id, at }: Tombstone): string {
  return `${kind}:${id}:${at}`;
}

/**
 * Devices that know of a purge and sent its session after it, by the purge: there the user registered it again. Only times of
 * one machine are compared, since its old segments may still be in the store when it says the purge.
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
    const read = (name: (typeof its)[number]) => readLocal(remote, replicaFile(remote, name), name);
    const said: Said = new Map();
    for (const name of its) if (name.lane === 'log') noteSaid(said, (await read(name)) ?? []);
    const known = purged.filter((stone) => said.has(stoneId(stone)));
    for (const name of known.length === 0 ? [] : its) {
      const lines = (await read(name)) ?? [];
      for (const stone of known.filter((it) => isAfter(lines, it, said.get(stoneId(it)))))
        again.set(stoneId(stone), (again.get(stoneId(stone)) ?? new Set()).add(device));
    }
  }
  return again;
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

/** Whether a segment holds the session and was sealed once its machine had carried the purge out. */
function isAfter(lines: readonly SegmentLine[], { id, at }: Tombstone, done: string | undefined): boolean {
  const sealed = lines.find((line) => line.t === 'device')?.at ?? '';
  return lines.some(
    (line) =>
      line.t === 'session' &&
      line.record.sessionId === id &&
      sealed > (done ?? at) &&
      (done !== undefined || line.record.registeredAt > at),
  );
}
