import { ingestSubagent } from '../../app/sync/ingest-running.ts';
import { noteOpen } from '../../app/sync/open-sessions.ts';
import { isMemoryDue } from '../../app/sync/running-delta.ts';
import { isPending, toolsFile } from '../../app/sync/running-session.ts';
import { syncSession } from '../../app/sync/sync-session.ts';
import type { Hook } from './hook.ts';

/** The call was counted by then. The session is read now and then: tool calls are many, and reading costs some time. */
export async function onPostToolUse(hook: Hook): Promise<string> {
  const { world, input, config } = hook;
  const calls = await world.archive.files.size(undefined, toolsFile(input.session));
  if (calls % config.hooks.everyToolCalls === 0) await follow(hook);
  return (await isPending(world, input.session)) ? lost(hook) : '';
}

export async function onStop(hook: Hook): Promise<string> {
  await follow(hook);
  if (await isMemoryDue(hook.world, hook.state, hook.config)) hook.detached.add('memory', hook.state.session);
  return '';
}

/** Every word is on the disk before the agent forgets it; memory.md has time. */
export async function onPreCompact(hook: Hook): Promise<string> {
  const { world, input, state, detached } = hook;
  const file = await world.transcripts.inspect(input.transcript);
  if (!file || file === 'folder') return '';
  const { noteCompaction } = await import('../../app/inject/compaction.ts');
  await noteCompaction(world, state, file.size);
  await syncSession(world, state, input.transcript, { config: hook.config, upTo: 'l1' });
  detached.add('memory', state.session);
  return '';
}

export async function onSubagentStop(hook: Hook): Promise<string> {
  const { world, state, config } = hook;
  const { agentTranscript: path, agentId } = hook.input;
  await follow(hook);
  // It names a file in the archive.
  if (path !== '' && /^[\w-]{1,64}$/.test(agentId))
    await ingestSubagent(world, state, { path, agentId }, config);
  return '';
}

async function follow({ world, input, state, config }: Hook): Promise<void> {
  if (input.transcript === '') return;
  await syncSession(world, state, input.transcript, { config, upTo: 'l1' });
  // New, or resumed after its end.
  if (state.place) await noteOpen(world, state.session);
}

/** An agent that compacted in the middle of its work continues with a tool call, not with a prompt. */
async function lost({ world, input, state, config }: Hook): Promise<string> {
  const { compactionText } = await import('../../app/inject/compaction.ts');
  return (await compactionText(world, state, input.transcript, config)) ?? '';
}
