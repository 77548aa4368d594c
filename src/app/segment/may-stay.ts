import { maskSecrets } from '../../core/bundle/mask-secrets.ts';
import type { Tombstone } from '../../core/model/manifest.ts';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { type SegmentName, segmentName } from '../../core/remote/segment-name.ts';
import { openProjects } from '../find/projects.ts';
import { textsOf } from '../find/purged-marks.ts';
import { privateAmong, readPrivate } from './private-sessions.ts';
import type { OpenRemote } from './remote-record.ts';
import { readSegmentLines } from './segment-lines.ts';
import { stampHash } from './stamp-hash.ts';
import { sessionsNamedIn, withoutPurged } from './without-purged.ts';

/** What must not be in the store now. */
export type NotInStore = { stones: Tombstone[]; secret: ReadonlySet<string> };

export async function notInStore({ world }: OpenRemote): Promise<NotInStore> {
  const stones = (await openProjects(world)).flatMap(({ tombstones }) => tombstones);
  return { stones, secret: await readPrivate(world) };
}

/** Whether a segment in the store holds nothing that was purged, is private or is a secret. `looks`: what earlier searches found. */
export async function mayStay(
  remote: OpenRemote,
  name: SegmentName,
  looks: Map<string, string>,
  { stones, secret }: NotInStore,
): Promise<boolean> {
  const look = `stays ${stampHash([...stones.map(({ kind, id }) => `${kind} ${id}`), ...secret].sort())}`;
  if (looks.get(name.id) === look) return true;
  const bytes = await remote.store.get(segmentName(name));
  const opened = bytes && openSegment(name, bytes, remote);
  const lines = opened?.state === 'read' ? readSegmentLines(opened.lines) : undefined;
  if (!lines) return false;
  const purged = stones.flatMap(({ kind, id }) => (kind === 'session' ? [id] : []));
  const gone = new Set([...secret, ...privateAmong(secret, sessionsNamedIn(lines)), ...purged]);
  if (withoutPurged(lines, gone, new PurgeMask(textsOf(stones))).isChanged) return false;
  const isSecret = (text: string | undefined) => text !== undefined && maskSecrets(text) !== text;
  if (lines.some((line) => line.t === 'data' && isSecret(line.text))) return false;
  looks.set(name.id, look);
  return true;
}
