import type { ProjectId } from '../../core/model/ids.ts';
import { withoutSession } from '../../core/rolling/entry.ts';
import { summaryName } from '../../core/rolling/memory-file.ts';
import type { World } from '../world.ts';
import { sessionMark } from './delta.ts';
import { archiveNames, archivePlace, MEMORY_FILE } from './rolling-memory.ts';
import { dropDelta, readRollingState, writeState } from './state.ts';
import { writeSummaries } from './summaries.ts';

/** Takes what came from a session out of memory.md and its archives; their summaries are rebuilt. */
export async function forgetInMemory(world: World, project: ProjectId, sessionId: string): Promise<number> {
  const { files } = world.archive;
  const mark = sessionMark(sessionId);
  const changed = await world.archive.exclusive(async () => {
    const names: string[] = [];
    const archives = await archiveNames(world, project);
    const places = await Promise.all(archives.map((name) => archivePlace(world, project, name)));
    for (const place of [MEMORY_FILE, ...places]) {
      const text = (await files.read(project, place))?.toString();
      const left = text === undefined ? undefined : withoutSession(text, (session) => session === mark);
      if (left === undefined || left === text) continue;
      await files.write(project, place, left);
      names.push(place);
    }
    await dropDelta(world, project);
    const state = await readRollingState(world, project);
    if (Object.hasOwn(state.sessions, sessionId)) {
      const { [sessionId]: _, ...sessions } = state.sessions;
      await writeState(world, project, { ...state, sessions });
    }
    for (const place of names) {
      const name = place.slice(place.lastIndexOf('/') + 1);
      if (place !== MEMORY_FILE) await files.remove(project, `memory/${summaryName(name)}`);
    }
    return names.length;
  });
  if (changed > 0) await writeSummaries(world, project);
  return changed;
}
