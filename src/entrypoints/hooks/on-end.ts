import { noteCompaction } from '../../app/inject/compaction.ts';
import { makeStartInjection } from '../../app/inject/start-injection.ts';
import { noteClosed } from '../../app/sync/open-sessions.ts';
import { syncSession } from '../../app/sync/sync-session.ts';
import { configOf, type Hook } from './hook.ts';

const RETENTION_MS = 2000;
const RETENTION_MOST = 5;

/** Everything is on the disk before the agent forgets it. */
export async function onPreCompact(hook: Hook): Promise<string> {
  const { world, input, state } = hook;
  const file = await world.transcripts.inspect(input.transcript);
  if (!file || file === 'folder') return '';
  await noteCompaction(world, state, file.size);
  await record(hook);
  const { updateRollingMemory } = await import('../../app/inject/memory.ts');
  await updateRollingMemory(world, state);
  return '';
}

/** The last that is heard of a session: own copy, files beside it, L1, record, index, facts, memory.md, and what the next start injects. */
export async function onEnd(hook: Hook): Promise<string> {
  const { world, state } = hook;
  await record(hook);
  await noteClosed(world, state.session);
  const { learnFromSession, updateRollingMemory } = await import('../../app/inject/memory.ts');
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
  await age(hook);
  return '';
}

/** Where it is scheduled and due: a few versions, for a short while. The rest is for the next end, or a sync. */
async function age(hook: Hook): Promise<void> {
  const { place } = hook.state;
  if (place?.kept !== 'registered') return;
  const config = await configOf(hook, place.project);
  if (config.autoDecay.schedule === 'off') return;
  const { runRetentionWhenDue } = await import('../../app/retention/schedule.ts');
  const signal = AbortSignal.timeout(RETENTION_MS);
  await runRetentionWhenDue(hook.world, [config], { project: place.project, most: RETENTION_MOST, signal });
}

async function record({ world, input, state, config }: Hook): Promise<void> {
  if (input.transcript !== '') await syncSession(world, state, input.transcript, { config, upTo: 'record' });
}
