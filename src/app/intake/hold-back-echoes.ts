import { echoFinder, echoOf } from '../../core/keepit/hold-back.ts';
import type { KeepitMarker } from '../../core/model/session.ts';
import { readLine } from '../../core/transcript/read-line.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import type { SessionState } from './session-state.ts';

/**
 * Marks those of the assistant's markers that repeat an earlier tool result. Reads the session again from its start,
 * which only a session with such markers costs, and nothing needs to be remembered in between.
 */
export async function holdBackEchoes(
  world: World,
  ref: SessionRef,
  state: SessionState,
  fresh: KeepitMarker[],
): Promise<void> {
  const waiting = fresh.filter((marker) => marker.origin === 'assistant');
  if (waiting.length === 0) return;
  const echoes = waiting.map((marker) => ({ marker, echo: echoOf(marker.content) }));
  const end = Math.max(...waiting.map((marker) => marker.src));
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  await world.transcripts.readLines(path, 0, (line, at, last) => {
    if (at >= end) return 'stop';
    for (const { entries } of readLine(state.agent, line, at, last).objects) {
      for (const entry of entries) {
        if (entry.kind !== 'tool-result') continue;
        const shows = echoFinder(entry.text);
        for (const { marker, echo } of echoes) {
          if (!marker.held && marker.src > at) marker.held = shows(echo);
        }
      }
    }
    return true;
  });
}
