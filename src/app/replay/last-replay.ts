import { fields, object, oneOf, text } from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import type { ReplayReport } from './replay.ts';
import type { ReplayRequest } from './replayed-projects.ts';

/** The report of the last replay, as the page shows it. */
export type LastReplay = { version: 1; at: string; request: ReplayRequest; report: ReplayReport };

const FILE = 'replay/last.json';
const LAST: StoredKind<LastReplay> = {
  schema: fields({
    version: oneOf(1),
    at: text,
    request: object<ReplayRequest>(),
    report: object<ReplayReport>(),
  }),
  format: ['version', 1],
  damaged: 'The next replay makes it again.',
};

export async function lastReplay(world: World): Promise<LastReplay | undefined> {
  return (await readStored(world, undefined, FILE, LAST)).value;
}

export async function keepReplay(world: World, request: ReplayRequest, report: ReplayReport): Promise<void> {
  const last: LastReplay = { version: 1, at: world.clock.now(), request, report };
  await world.archive.files.write(undefined, FILE, JSON.stringify(last));
}
