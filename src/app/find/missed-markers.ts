import { asMarker } from '../../core/keepit/near-misses.ts';
import type { World } from '../world.ts';
import type { SessionRef } from './session-ref.ts';

/** A sentence for each text that was meant as a marker and is none. */
export async function missedMarkers(world: World, refs: readonly SessionRef[]): Promise<string[]> {
  const notes: string[] = [];
  for (const { project, session } of refs) {
    const record = (await world.archive.open(project))?.manifest.sessions[session];
    for (const { text } of record?.metadata.missed ?? [])
      notes.push(`Session ${session.slice(0, 8)}: ${text} is no keepit. Write ${asMarker(text)}.`);
  }
  return [...new Set(notes)];
}
