import { loadHookSession, saveHookSession } from '../../app/sync/running-session.ts';
import type { World } from '../../app/world.ts';
import type { QueuedWork, WorkInput, WorkKind } from '../../core/model/detached-work.ts';
import type { Detached } from '../../ports/detached.ts';
import type { Hook } from './hook.ts';
import { readHookInput } from './hook-input.ts';

/** What the composition root hands to a piece of detached work. */
export type WorkHost = {
  openWorld(cwd: string): World;
  /** The same with a way to the remotes, which no hook has. */
  openForRemotes(cwd: string): World;
  /** The session was kept out of the archive after its event: nothing is done for it any more. */
  isKeptOut(input: WorkInput): boolean;
  detachedFor(input: WorkInput): Detached;
};

const KINDS: Record<WorkKind, () => Promise<(hook: Hook) => Promise<void>>> = {
  'session-end': async () => (await import('./on-end.ts')).endSession,
  memory: async () => (await import('./on-end.ts')).saveMemory,
  retention: async () => (await import('./on-end.ts')).ageVersions,
  remote: async () => (await import('./on-remote.ts')).syncRemotes,
};

/** One piece of the queue. Killed anywhere, it is done again from its start, with the same result. */
export async function runWork(work: QueuedWork, from: WorkInput, host: WorkHost): Promise<void> {
  const input = readHookInput(from.event);
  if (!input || host.isKeptOut(from)) return;
  const world = work.kind === 'remote' ? host.openForRemotes(input.cwd) : host.openWorld(input.cwd);
  try {
    const state = await loadHookSession(world, input.session);
    const { config } = await world.settings.resolve(state.place?.settings);
    if (!config.hooks.enabled) return;
    const before = JSON.stringify(state);
    try {
      await (await KINDS[work.kind]())({ world, input, state, config, detached: host.detachedFor(from) });
    } finally {
      if (JSON.stringify(state) !== before) {
        const { place, memory } = state;
        // A hook of the session may have noted something meanwhile.
        const now = await loadHookSession(world, input.session);
        await saveHookSession(world, { ...now, ...(place && { place }), ...(memory && { memory }) });
      }
    }
  } finally {
    await world.archive.close().catch(() => undefined);
    await world.index.close().catch(() => undefined);
  }
}
