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
  /** The same with the sessions of all agents. */
  openForAgents(cwd: string): Promise<World>;
  /** The session was kept out of the archive after its event: nothing is done for it any more. */
  isKeptOut(input: WorkInput): boolean;
  detachedFor(input: WorkInput): Detached;
};

const KINDS: Record<Exclude<WorkKind, 'remote' | 'unread'>, () => Promise<(hook: Hook) => Promise<void>>> = {
  'session-end': async () => (await import('./on-end.ts')).endSession,
  memory: async () => (await import('./on-end.ts')).saveMemory,
  retention: async () => (await import('./on-end.ts')).ageVersions,
};

/** One piece of the queue. Killed anywhere, it is done again from its start, with the same result. */
export async function runWork({ kind, key }: QueuedWork, from: WorkInput, host: WorkHost): Promise<void> {
  const input = readHookInput(from.event);
  // A command leaves it, too, without an event.
  if (kind === 'remote') {
    const { syncRemotes } = await import('./on-remote.ts');
    return closing(host.openForRemotes(input?.cwd ?? from.started), syncRemotes);
  }
  if (!input || host.isKeptOut(from)) return;
  if (kind === 'unread') {
    const { readUnread } = await import('./on-unread.ts');
    return closing(await host.openForAgents(input.cwd), (world) => readUnread(world, key === 'all'));
  }
  await closing(host.openWorld(input.cwd), async (world) => {
    const state = await loadHookSession(world, input.session);
    const { config } = await world.settings.resolve(state.place?.settings);
    if (!config.hooks.enabled) return;
    const before = JSON.stringify(state);
    try {
      await (await KINDS[kind]())({
        world,
        input,
        state,
        config,
        detached: host.detachedFor(from),
        shown: [],
      });
    } finally {
      if (JSON.stringify(state) !== before) {
        const { place, memory } = state;
        // A hook of the session may have noted something meanwhile.
        const now = await loadHookSession(world, input.session);
        await saveHookSession(world, { ...now, ...(place && { place }), ...(memory && { memory }) });
      }
    }
  });
}

async function closing(world: World, work: (world: World) => Promise<void>): Promise<void> {
  try {
    await work(world);
  } finally {
    await world.archive.close().catch(() => undefined);
    await world.index.close().catch(() => undefined);
  }
}
