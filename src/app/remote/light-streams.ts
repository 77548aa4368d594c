import type { ProjectId } from '../../core/model/ids.ts';
import { originalName } from '../find/session-ref.ts';
import { dropState } from '../intake/session-state.ts';
import type { Assembly } from '../segment/assemble.ts';
import { ownMessages, talkMessages } from '../segment/talk-file.ts';
import type { World } from '../world.ts';
import { dropSession } from './drop-session.ts';
import { type HeldStream, HeldStreams } from './held-streams.ts';

/** For a newer form of talk that is here: its file goes, and what is known about the session stays. */
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
        // Someone else's session may contain it, and more.
        if (!manifest || !record || !held.isFor(light, record.by)) continue;
        const [theirs, own] = [await talkMessages(world, path), await ownMessages(world, manifest, record)];
        if (![...theirs].every((message) => own.has(message))) continue;
        await dropSession(world, light, 'twice');
        break;
      }
    }
  }
}
