import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { bundlesOf } from '../bundle/reader.ts';
import { originalName } from '../find/session-ref.ts';
import { dropLayers, updateLayers } from '../layers/update.ts';
import { removeSessionFiles } from '../purge/sweep.ts';
import { forgetInMemory } from '../rolling/forget.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import { type RepoState, streamKey } from '../segment/repo-state.ts';
import { TALK } from '../segment/session-pieces.ts';
import type { World } from '../world.ts';
import { type HeldStream, HeldStreams, isSameStream } from './held-streams.ts';

/** Takes a session out without a tombstone: where it came from it is still, and it may come again. */
export async function dropSession(world: World, project: ProjectId, session: SessionId): Promise<void> {
  const record = (await world.archive.open(project))?.manifest.sessions[session];
  if (!record) return;
  await removeSessionFiles(world, project, session, record.l1.file === '' ? [] : [record.l1.file]);
  await forgetInMemory(world, project, session);
  const note = 'Marked private on the machine it came from.';
  await world.archive.change(
    project,
    [
      { at: ['sessions', session], drop: true },
      { at: ['parts', session], drop: true },
    ],
    [{ at: world.clock.now(), action: 'unregister', sessionId: session, note }],
  );
  await dropLayers(world, project);
  await updateLayers(world, project);
  await world.index.destroy();
}

/**
 * A stream that came from elsewhere and that another one here begins with: the session was resumed on this machine, in
 * another folder. Nobody else has it twice.
 */
export async function dropPrefixes(
  { world }: OpenRemote,
  state: RepoState,
  folders: readonly ProjectId[],
): Promise<void> {
  const held = await HeldStreams.of(world, folders);
  await dropRecords(world, held);
  const sizeOf = async ({ project, session }: HeldStream) =>
    (await world.archive.originals.size(project, originalName(session))) ?? 0;
  for (const streams of held.several()) {
    let left = streams;
    for (const stream of streams) {
      const size = await sizeOf(stream);
      const received = state.received.get(streamKey(stream, stream.isLight ? TALK : 'original')) ?? 0;
      if ((held.record(stream)?.compressions.length ?? 0) > 0) continue;
      // What is known of received bytes may be lost with a kill, or with the machine's id.
      const isOwn = size > received;
      if (isOwn && (await hasSource(world, held.record(stream)?.originalFile))) continue;
      // The other stream holds its words, not the files of its subagents.
      if (isOwn && (await hasBeside(world, stream))) continue;
      const path = world.archive.originals.path(stream.project, originalName(stream.session));
      for (const other of left) {
        if (isSameStream(other, stream) || other.isLight !== stream.isLight) continue;
        if ((await sizeOf(other)) < size || !(await held.matching([other], path))) continue;
        await dropSession(world, stream.project, stream.session);
        left = left.filter((it) => !isSameStream(it, stream));
        break;
      }
    }
  }
}

/** Whether the agent's own file is here, which would bring the session again. */
async function hasSource(world: World, file: string | undefined): Promise<boolean> {
  if (file === undefined) return true;
  const { claudeProjects, agents } = world.places;
  const roots = [...claudeProjects, ...Object.values(agents ?? {}).flat()];
  return roots.some((root) => file.startsWith(root)) && (await bundlesOf(world).size(file)) !== undefined;
}

async function hasBeside(world: World, { project, session }: Pick<HeldStream, 'project' | 'session'>) {
  const names = await world.archive.originals.list(project, session);
  return names.some((name) => name !== originalName(session));
}

/** A kill came after the copy was removed: where another stream of the session holds all of it, the record is all that is left. */
async function dropRecords(world: World, held: HeldStreams): Promise<void> {
  for (const [project, manifest] of held.manifests)
    for (const record of Object.values(manifest?.sessions ?? {})) {
      const { sessionId: session, compressions } = record;
      const streams = held.streams(session);
      if (streams.length === 0 || streams.some((stream) => isSameStream(stream, { project, session })))
        continue;
      if (compressions.length > 0 || (await hasBeside(world, { project, session }))) continue;
      if (await holdsAll(world, streams, record)) await dropSession(world, project, session);
    }
}

/** By length and hash; what can't be proven is left to `verify`. */
async function holdsAll(
  world: World,
  streams: readonly HeldStream[],
  { originalBytes, originalHash }: SessionRecord,
): Promise<boolean> {
  const { originals } = world.archive;
  for (const { project, session } of streams) {
    const name = originalName(session);
    if (((await originals.size(project, name)) ?? 0) < originalBytes) continue;
    if ((await originals.hash(project, name, [], originalBytes)).hash === originalHash) return true;
  }
  return false;
}
