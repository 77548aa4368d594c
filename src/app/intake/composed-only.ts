import type { Entry } from '../../core/model/entry.ts';
import { type ComposedState, isComposed } from '../../core/transcript/composed-lines.ts';
import { readLine } from '../../core/transcript/read-line.ts';
import type { World } from '../world.ts';
import type { FileIdentity } from './identify-file.ts';

/** Whether a file contains nothing but what `compose --resume` wrote: no session of its own until someone works in it. */
export async function isUnusedComposition(
  world: World,
  { agent, isResume }: FileIdentity,
  path: string,
): Promise<boolean> {
  if (!isResume) return false;
  const state: { composed?: ComposedState } = {};
  let isUnused = true;
  await world.transcripts.readLines(path, 0, (line, at, last) => {
    for (const object of readLine(agent, line, at, last).objects) {
      if (!isComposed(state, object, true) && object.entries.some(isWork)) isUnused = false;
    }
    return isUnused ? true : 'stop';
  });
  return isUnused;
}

/** What the client writes when it only opens a session is no work. */
function isWork({ kind }: Entry): boolean {
  return kind !== 'notice' && kind !== 'title';
}
