import { sealSegment } from '../../core/remote/seal-segment.ts';
import type { Lane, SegmentName } from '../../core/remote/segment-name.ts';
import type { OpenRemote } from './remote-record.ts';
import { noteOwn, ownSegmentFile, type RepoState, streamKey } from './repo-state.ts';
import { piecesIn, readSegmentLines } from './segment-lines.ts';

/** One more segment of a lane: on the disk, then noted. */
export async function append(
  remote: OpenRemote,
  { repo, lane, state }: { repo: string; lane: Lane; state: RepoState },
  content: readonly string[],
): Promise<SegmentName> {
  const { keys, device, packing, record } = remote;
  const { seq, id: prev } = state.own[lane] ?? { seq: 0, id: '' };
  const lines = [deviceLine(remote), ...content, ...storedLines(lane, state, content)];
  const { name, bytes } = sealSegment(
    { repo, lane, seq: seq + 1, prev, lines },
    { keys, device, packing, encrypt: record.encrypt },
  );
  await remote.remotes.files.write(ownSegmentFile(remote, name), bytes);
  noteOwn(state, name, readSegmentLines(lines) ?? []);
  return name;
}

/** The first line of every segment, also of one that is sealed again. */
export function deviceLine({ world, device, record: { member } }: OpenRemote): string {
  const line = { t: 'device', name: device.name, at: world.clock.now() };
  return JSON.stringify({ ...line, ...(member === undefined ? {} : { member }) });
}

/** Where the originals are whose talk these lines hold. */
export function storedLines(lane: Lane, { places }: RepoState, content: readonly string[]): string[] {
  if (lane !== 'talk') return [];
  const streams = new Map(
    piecesIn(readSegmentLines(content) ?? []).map((piece) => [streamKey(piece, ''), piece.session]),
  );
  return [...streams].flatMap(([stream, session]) => {
    const seqs = (places.get(stream) ?? [])
      .flatMap((place) => /^bytes\/(\d+)$/.exec(place)?.[1] ?? [])
      .map(Number);
    return seqs.length === 0 ? [] : [JSON.stringify({ t: 'stored', session, seqs })];
  });
}
