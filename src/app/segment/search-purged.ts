import type { Manifest, Tombstone } from '../../core/model/manifest.ts';
import { PurgeMask } from '../../core/model/purge-mask.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { type SegmentName, segmentName } from '../../core/remote/segment-name.ts';
import { textsOf } from '../find/purged-marks.ts';
import type { OpenRemote } from './remote-record.ts';
import { readLocal, replicaFile } from './repo-state.ts';
import { readSegmentLines, type SegmentLine } from './segment-lines.ts';
import { withoutPurged } from './without-purged.ts';

/** What purges reach. `here`: sessions that the archive holds, however they are called there. */
export type PurgeReach = { gone: Set<string>; mask: PurgeMask; here: Set<string> };

export function reachOf(stones: readonly Tombstone[], projects: readonly Manifest[]): PurgeReach {
  return {
    gone: new Set(stones.flatMap(({ kind, id }) => (kind === 'session' ? [id] : []))),
    mask: new PurgeMask(textsOf([...stones])),
    here: new Set(projects.flatMap(({ sessions }) => Object.keys(sessions).map(streamBase))),
  };
}

export type FoundPurged = {
  /** With a purged session alone. */
  gone: SegmentName[];
  /** With something else that was purged, behind all others of its sessions. */
  needed: SegmentName[];
  damaged: SegmentName[];
};

/** Looks through the originals of one device, here or in the store. */
export async function searchPurged(
  remote: OpenRemote,
  names: readonly SegmentName[],
  { gone, mask, here }: PurgeReach,
): Promise<FoundPurged> {
  const found: FoundPurged = { gone: [], needed: [], damaged: [] };
  const touched: SegmentName[] = [];
  const sound: { name: SegmentName; sessions: string[] }[] = [];
  const broken = new Set<string>();
  for (const name of names) {
    const lines = await linesOf(remote, name);
    if (!lines) {
      found.damaged.push(name);
      continue;
    }
    const sessions = sessionsIn(lines);
    const isTouched = withoutPurged(lines, gone, mask).isChanged;
    if (!isTouched) sound.push({ name, sessions });
    // Purged, and not registered again by its user: nothing of it is needed.
    else if (sessions.length > 0 && sessions.every((it) => gone.has(it) && !here.has(streamBase(it))))
      found.gone.push(name);
    else {
      touched.push(name);
      for (const session of sessions) broken.add(session);
    }
  }
  for (const { name, sessions } of sound) if (sessions.some((it) => broken.has(it))) found.needed.push(name);
  found.needed.push(...touched);
  return found;
}

/** As it is here, or in the store. */
async function linesOf(remote: OpenRemote, name: SegmentName): Promise<SegmentLine[] | undefined> {
  const kept = await readLocal(remote, replicaFile(remote, name), name);
  if (kept) return kept;
  const bytes = await remote.store.get(segmentName(name));
  const opened = bytes && openSegment(name, bytes, remote);
  return opened?.state === 'read' ? readSegmentLines(opened.lines) : undefined;
}

function sessionsIn(lines: readonly SegmentLine[]): string[] {
  return lines.flatMap((line) => {
    if (line.t === 'piece') return [line.session];
    return line.t === 'session' ? [line.record.sessionId] : [];
  });
}
