import { newRefineState, refine } from '../../core/layers/refine/refine.ts';
import { shortHash } from '../../core/model/ids.ts';
import { UNANSWERED } from '../../core/model/l1.ts';
import type { Part } from '../../core/model/version.ts';
import { readLine } from '../../core/transcript/read-line.ts';
import type { PlacedLine } from '../find/read-lines-of.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import type { SessionState } from '../intake/session-state.ts';
import type { World } from '../world.ts';

type Unanswered = NonNullable<Part['unanswered']>;

/** Calls that nothing has answered yet, except for those that a part ended with. */
export function unansweredCalls(state: SessionState, parts: readonly Part[]): Unanswered {
  const known = new Set(parts.flatMap(({ unanswered = [] }) => unanswered.map(([, call]) => call)));
  return state.refine.open
    .map(({ toolUseId, line }): Unanswered[number] => [line.src, callHash(toolUseId)])
    .filter(([, call]) => !known.has(call));
}

/** The lines that L1 will get for these calls if nothing ever answers them. Read from the original. */
export async function unansweredLines(
  world: World,
  ref: SessionRef,
  { agent, facts }: Pick<SessionState, 'agent' | 'facts'>,
  unanswered: Unanswered,
): Promise<PlacedLine[]> {
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  const calls = new Set(unanswered.map(([, call]) => call));
  const placed: PlacedLine[] = [];
  for (const src of new Set(unanswered.map(([at]) => at))) {
    let onThisLine = 0;
    await world.transcripts.readLines(path, src, (bytes, at, last) => {
      for (const { entries } of readLine(agent, bytes, at, last).objects) {
        for (const entry of entries) {
          if (entry.kind !== 'tool-call' || !calls.has(callHash(entry.toolUseId))) continue;
          const state = newRefineState();
          refine(state, entry, facts.cwd);
          const line = state.open[0]?.line;
          // L1 has no such line: no number of its own can be one of its numbers.
          if (line)
            placed.push({ line: { ...line, result: UNANSWERED }, from: -1, at: -(src + ++onThisLine) });
        }
      }
      return 'stop';
    });
  }
  return placed;
}

/** Whether an earlier part had this call already, without an answer. */
export function isRendered(earlier: readonly Part[], { line }: PlacedLine): boolean {
  if (line.role !== 'tool' || line.result !== UNANSWERED) return false;
  return earlier.some(({ unanswered }) => unanswered?.some(([src]) => src === line.src) === true);
}

/** Ids are the agent's; a hash holds nothing that it could have put into them. */
function callHash(toolUseId: string): string {
  return shortHash(toolUseId, 12);
}
