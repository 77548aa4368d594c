import { fields, oneOf, text } from '../../core/model/shape.ts';
import { orFault } from '../or-fault.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import type { ReplayReport } from './replay.ts';
import { reportShape, requestShape } from './replay-shapes.ts';
import type { ReplayRequest } from './replayed-projects.ts';

/** The report of the last replay, as the page shows it. */
export type LastReplay = { version: 2; at: string; request: ReplayRequest; report: ReplayReport };

const FILE = 'replay/last.json';
const LAST: StoredKind<LastReplay> = {
  schema: fields({
    version: oneOf(2),
    at: text,
    request: requestShape,
    report: reportShape,
  }),
  format: ['version', 2],
  damaged: 'The next replay rebuilds it.',
};

export async function lastReplay(world: World): Promise<LastReplay | undefined> {
  return (await readStored(world, undefined, FILE, LAST)).value;
}

/** Keeps a report; one of no session says nothing, and does not take the place of another. */
export async function keepReplay(world: World, request: ReplayRequest, report: ReplayReport): Promise<void> {
  if (report.figures.sessions === 0) return;
  const last: LastReplay = { version: 2, at: world.clock.now(), request, report };
  await world.archive.files.write(undefined, FILE, JSON.stringify(last));
}

const FIRST = 'first-replay.json';
const SEEN: StoredKind<{ version: 1 }> = {
  schema: fields({ version: oneOf(1) }),
  format: ['version', 1],
  damaged: 'Keepsake shows the first cases again.',
};

/** Whether the user has seen the replay of the sessions from before memory. */
export async function sawFirstReplay(world: World): Promise<boolean> {
  return (await readStored(world, undefined, FIRST, SEEN)).value !== undefined;
}

export async function noteFirstReplay(world: World): Promise<void> {
  // An archive that can't be written is read anyway.
  await orFault(world.archive.files.write(undefined, FIRST, JSON.stringify({ version: 1 })));
}
