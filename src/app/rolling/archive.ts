import type { ProjectId } from '../../core/model/ids.ts';
import { ARCHIVE_NAME, archivedAt } from '../../core/rolling/memory-file.ts';
import type { World } from '../world.ts';
import { PUT_AWAY } from './rolling-memory.ts';

export type PutAwayRequest = { days?: number; undo?: boolean };

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Puts archives older than a month into a folder of their own; `undo` takes them all back. Gives their names. */
export async function putAway(
  world: World,
  project: ProjectId,
  request: PutAwayRequest = {},
): Promise<string[]> {
  const { files } = world.archive;
  const before = world.clock.millis() - (request.days ?? DAYS) * DAY_MS;
  const [from, to] = request.undo ? [PUT_AWAY, 'memory'] : ['memory', PUT_AWAY];
  return world.archive.exclusive(async () => {
    const names = (await files.list(project, from)).filter((name) => ARCHIVE_NAME.test(name));
    const old = names.filter((name) => request.undo || Date.parse(archivedAt(name) ?? '') < before);
    const moved: string[] = [];
    for (const name of old) {
      const bytes = await files.read(project, `${from}/${name}`);
      if (bytes === undefined) continue;
      await files.write(project, `${to}/${name}`, bytes);
      const copy = await files.read(project, `${to}/${name}`);
      // Until the copy is seen to be whole, both stay.
      if (copy?.equals(bytes)) await files.remove(project, `${from}/${name}`);
      moved.push(name);
    }
    return moved;
  });
}
