import { createHash } from 'node:crypto';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { SegmentName } from '../../core/remote/segment-name.ts';
import type { Scratch } from '../../ports/bundles.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { originalName } from '../find/session-ref.ts';
import { Assembly, pieceBytes, type Stretch } from './assemble.ts';
import type { OpenRemote } from './remote-record.ts';
import { localSegments, readLocal, replicaFile } from './repo-state.ts';
import { TALK } from './session-pieces.ts';

/** `folder`: as it is called where it comes from. */
export type WantedFile = {
  repo: string;
  device: string;
  folder: ProjectId;
  session: SessionId;
  name: string;
};

type Place = { project: ProjectId; session: SessionId };

/**
 * A session's file as its device has it, in a file of its own here: what is here already and what came, or all of its
 * segments. Undefined where a piece is missing; then the next sync tries again.
 */
export async function sessionFile(
  remote: OpenRemote,
  wanted: WantedFile,
  fresh: readonly Stretch[],
  here: readonly Place[],
): Promise<Scratch | undefined> {
  const first = Math.min(...fresh.map(({ at }) => at));
  if (first === 0) return joined(remote, wanted, fresh, undefined);
  for (const place of here) {
    const prefix = { path: originalPath(remote, place, wanted.name), bytes: first };
    const grown = await joined(remote, wanted, fresh, prefix);
    if (grown) return grown;
  }
  return joined(remote, wanted, await allStretches(remote, wanted), undefined);
}

function originalPath({ world }: OpenRemote, { project, session }: Place, name: string): string {
  const file = name === 'original' || name === TALK ? originalName(session) : `${session}/${name}`;
  return world.archive.originals.path(project, file);
}

/** Of several segments that hold the same stretch, the one that was sealed last. */
async function joined(
  remote: OpenRemote,
  wanted: WantedFile,
  stretches: readonly Stretch[],
  prefix: { path: string; bytes: number } | undefined,
): Promise<Scratch | undefined> {
  const { world } = remote;
  const scratch = await bundlesOf(world).scratch();
  const hash = createHash('sha256');
  let [size, isSound] = [0, true];
  const write = (bytes: Uint8Array) => {
    scratch.write(bytes);
    hash.update(bytes);
    size += bytes.length;
  };
  if (prefix) {
    const exists = (await bundlesOf(world).size(prefix.path)) ?? 0;
    if (exists >= prefix.bytes)
      for await (const piece of world.sessionFiles.read(prefix.path)) {
        write(piece.subarray(0, prefix.bytes - size));
        if (size === prefix.bytes) break;
      }
  }
  for (const stretch of stretches.toSorted((a, b) => a.at - b.at || a.segment.seq - b.segment.seq)) {
    if (stretch.end <= size) continue;
    const lines = stretch.at === size ? await readReplica(remote, stretch.segment) : undefined;
    for (const piece of lines ? pieceBytes(lines, wanted, stretch) : []) write(piece);
    isSound = size === stretch.end && hash.copy().digest('hex') === stretch.sha256;
    if (!isSound) break;
  }
  scratch.close();
  if (isSound) return scratch;
  await scratch.remove();
  return undefined;
}

async function allStretches(
  remote: OpenRemote,
  { repo, device, folder, session, name }: WantedFile,
): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  for (const segment of await localSegments(remote, repo, 'replica')) {
    if (segment.device !== device || segment.lane !== (name === TALK ? 'talk' : 'bytes')) continue;
    const assembly = new Assembly();
    assembly.add(segment, (await readReplica(remote, segment)) ?? []);
    const sent = assembly.projects.get(folder)?.sessions.get(session);
    stretches.push(...(sent?.files.get(name)?.stretches ?? []));
  }
  return stretches;
}

function readReplica(remote: OpenRemote, segment: SegmentName) {
  return readLocal(remote, replicaFile(remote, segment), segment);
}
