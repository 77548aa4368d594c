import type { ProjectId } from '../../core/model/ids.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import { originalName } from '../find/session-ref.ts';
import { dropState } from '../intake/session-state.ts';
import type { Assembly } from '../segment/assemble.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import {
  forgetReceived,
  localSegments,
  piecesIn,
  readLocal,
  replicaFile,
  streamKey,
} from '../segment/repo-state.ts';
import { ownMessages, talkMessages } from '../segment/talk-file.ts';
import type { World } from '../world.ts';
import { dropSession } from './drop-session.ts';
import { type HeldStream, HeldStreams } from './held-streams.ts';
import type { SentBy } from './whole-stream.ts';

/**
 * For an original whose talk is here. What was said in the session is looked at again: the original need not hold what others said,
 * and on a light machine not even all of its own, where a part of it could not be fetched.
 */
export async function makeRoom(
  remote: OpenRemote,
  { repo, device, state }: SentBy,
  light: HeldStream,
): Promise<void> {
  await dropSession(remote.world, light.project, light.session);
  forgetReceived(state, streamKey(light, ''));
  for (const name of await localSegments(remote, repo, 'replica')) {
    if (name.lane !== 'talk' || (name.device === device && !remote.record.light)) continue;
    const lines = (await readLocal(remote, replicaFile(remote, name), name)) ?? [];
    if (piecesIn(lines).some(({ session }) => streamBase(session) === streamBase(light.session)))
      state.applied.delete(name.id);
  }
}

/** For a newer form of talk that is here: its file goes, and what is known of the session stays. */
export async function clearTalk(world: World, { project, session }: HeldStream): Promise<void> {
  await world.archive.originals.remove(project, originalName(session));
  await dropState(world, { project, session });
}

/** Talk that came before its original, and is in it. */
export async function dropCovered(
  world: World,
  folders: readonly ProjectId[],
  { projects }: Assembly,
): Promise<void> {
  const held = await HeldStreams.of(world, folders);
  const sessions = new Set([...projects.values()].flatMap((it) => [...it.sessions.keys()]));
  for (const session of sessions) {
    const streams = held.streams(session);
    const whole = streams.filter((it) => !it.isLight);
    for (const light of streams.filter((it) => it.isLight)) {
      const path = world.archive.originals.path(light.project, originalName(light.session));
      for (const it of whole) {
        const [manifest, record] = [held.manifests.get(it.project), held.record(it)];
        if (!manifest || !record) continue;
        const [theirs, own] = [await talkMessages(world, path), await ownMessages(world, manifest, record)];
        if (![...theirs].every((message) => own.has(message))) continue;
        await dropSession(world, light.project, light.session);
        break;
      }
    }
  }
}
