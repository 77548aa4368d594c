import { learnFromSession, updateRollingMemory } from '../../app/inject/memory.ts';
import { makeStartInjection } from '../../app/inject/start-injection.ts';
import { noteClosed } from '../../app/sync/open-sessions.ts';
import { syncSession } from '../../app/sync/sync-session.ts';
import { configOf, type Hook } from './hook.ts';

const RETENTION_MS = 10_000;
const RETENTION_MOST = 5;

/** The last that is heard of a session: own copy, files beside it, L1, record, index, facts, memory.md, and what the next start injects. */
export async function endSession(hook: Hook): Promise<void> {
  const { world, state, detached } = hook;
  await record(hook);
  await noteClosed(world, state.session);
  try {
    await learnFromSession(world, state);
    await updateRollingMemory(world, state);
  } finally {
    if (state.place?.kept === 'registered') {
      await makeStartInjection(world, state.place.project);
      const { makeActionLookup } = await import('../../app/inject/make-action-lookup.ts');
      await makeActionLookup(world, state.place.project);
    }
  }
  if ((await scheduled(hook)) !== undefined) detached.add('retention', state.session);
  // One for all sessions that ended meanwhile.
  if (hook.config.remote.auto) detached.add('remote', 'all');
}

/** The session may continue; memory.md has all of it so far. */
export async function saveMemory(hook: Hook): Promise<void> {
  await record(hook);
  await updateRollingMemory(hook.world, hook.state);
}

/** Where it is scheduled and due: a few versions, for a short while. The rest is for the next end, or a sync. */
export async function ageVersions(hook: Hook): Promise<void> {
  const found = await scheduled(hook);
  if (!found) return;
  const { runRetentionWhenDue } = await import('../../app/retention/schedule.ts');
  const signal = AbortSignal.timeout(RETENTION_MS);
  const options = { project: found.project, most: RETENTION_MOST, signal };
  await runRetentionWhenDue(hook.world, [found.config], options);
}

async function scheduled(hook: Hook) {
  const { place } = hook.state;
  if (place?.kept !== 'registered') return undefined;
  const config = await configOf(hook, place.project);
  return config.autoDecay.schedule === 'off' ? undefined : { config, project: place.project };
}

async function record({ world, input, state, config }: Hook): Promise<void> {
  if (input.transcript !== '') await syncSession(world, state, input.transcript, { config, upTo: 'record' });
}
