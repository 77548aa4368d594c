import type { Change } from '../../core/model/change.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import { updateExchanges } from '../layers/exchanges.ts';
import type { World } from '../world.ts';
import { noteUses } from './composition-uses.ts';
import { type RefineOptions, recordOf, refineOriginal } from './refine-original.ts';
import { type SessionState, saveState } from './session-state.ts';
import { filesBeside } from './sub-sessions.ts';

type ChangeOptions = {
  /** The agent's own. */
  originalFile: string;
  /** False where the next sync shall bring the exchanges up to date. */
  exchanges?: boolean;
};

/** Brings L1 and exchanges up to date with the archived copy, and gives what the manifest shall say of the session. */
export async function sessionChange(
  world: World,
  ref: SessionRef,
  { originalFile, ...options }: RefineOptions & Pick<ChangeOptions, 'originalFile'>,
): Promise<Change> {
  return changeFrom(world, ref, await refineOriginal(world, ref, options), { originalFile });
}

/** What the manifest shall say of a session, from how far reading of its copy has come. */
export async function changeFrom(
  world: World,
  ref: SessionRef,
  state: SessionState,
  options: ChangeOptions,
): Promise<Change> {
  await noteUses(world, ref, state);
  const name = originalName(ref.session);
  const { hash, blocks } = await world.archive.originals.hash(ref.project, name, state.blocks);
  const size = (await world.archive.originals.size(ref.project, name)) ?? 0;
  const record = recordOf(ref, state, { originalFile: options.originalFile, hash, size });
  if (options.exchanges !== false) await updateExchanges(world, ref.project, record);
  const { subSessions, beside, known } = await filesBeside(world, ref, {
    named: record.metadata.subSessions,
    before: state.beside,
    agent: state.agent,
  });
  const isKnown = JSON.stringify(known) === JSON.stringify(state.beside ?? {});
  if (blocks.length !== state.blocks.length || !isKnown) {
    state.blocks = blocks;
    state.beside = known;
    await saveState(world, ref, state);
  }
  record.metadata.subSessions = subSessions;
  const now = world.clock.now();
  const { originalFile, ...read } = record;
  // Read from the archive's own copy: where it once came from stays as it is.
  const from = originalFile.startsWith(world.archive.root) ? {} : { originalFile };
  const init = {
    originalFile,
    registeredAt: now,
    lastAccessed: record.lastTimestamp || now,
    registered: true,
    compressions: [],
  };
  return { at: ['sessions', ref.session], merge: { ...read, ...from, beside }, init };
}
