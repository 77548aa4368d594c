import { actionLookup, type SessionActions } from '../../core/actions/action-lookup.ts';
import { noteForCommand } from '../../core/actions/note-for-call.ts';
import { errorName } from '../../core/layers/command.ts';
import { endingOf } from '../../core/model/l1.ts';
import type { ReplayCase } from '../../core/replay/replay-case.ts';
import { readL1 } from '../find/read-l1.ts';
import { type KnownActions, readActions } from '../inject/action-sources.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import type { TimedSession } from './timeline.ts';

/**
 * Returned errors of a project with what a note before the command would have said: before it failed again, or before the next try. It
 * counts as said where the notes are on.
 */
export async function withNotes(
  world: World,
  own: readonly TimedSession[],
  cases: readonly ReplayCase[],
): Promise<ReplayCase[]> {
  const known: KnownActions = new Map();
  const found: ReplayCase[] = [];
  for (const one of cases) {
    const session = own.find(({ record }) => record.sessionId === one.again.session);
    const text =
      one.kind === 'error' && !one.said && session
        ? await noteOf(world, own, { session, one, known })
        : undefined;
    if (text === undefined) found.push(one);
    else if (await areNotesOn(world, session!)) found.push({ ...one, said: { on: 'action', text } });
    else found.push({ ...one, noted: text });
  }
  return found;
}

async function areNotesOn(world: World, { projectId }: TimedSession): Promise<boolean> {
  const head = await world.archive.head(projectId);
  return (await world.settings.resolve(head?.settings)).config.hooks.actionTokens > 0;
}

type Wanted = { session: TimedSession; one: ReplayCase; known: KnownActions };

/** Goes through the commands of the session with only earlier ones known, until the note on the one that failed. */
async function noteOf(
  world: World,
  own: readonly TimedSession[],
  { session, one, known }: Wanted,
): Promise<string | undefined> {
  const { projectId, record } = session;
  const earlier: SessionActions[] = [];
  for (const it of own)
    if (it.record.lastTimestamp < record.firstTimestamp)
      earlier.push(await readActions(world, it.projectId, it.record, known));
  const lookup = actionLookup(earlier, []);
  const lines = (await ifReadable(readL1(world, { projectId, l1: record.l1 }), world.report)) ?? [];
  const said = new Set<string>();
  let [error, isNext] = ['', false];
  for (const { name, target, result, src } of lines) {
    if (name !== 'Bash' || !target) continue;
    const note = noteForCommand(lookup, { command: target, error }, (key) => said.has(key));
    if (note) said.add(note.key);
    if (note?.session === one.before.session && (isNext || src === one.again.src)) return note.text;
    error = result !== undefined && endingOf(result) === 'failed' ? errorName(result) : '';
    // The note on an error comes before the next command.
    if (isNext) return undefined;
    isNext = src === one.again.src;
  }
  return undefined;
}
