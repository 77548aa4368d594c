import { projectHere } from '../../app/find/locate-project.ts';
import { ownMemoryNotice } from '../../app/inject/own-memory-notice.ts';
import { startText } from '../../app/inject/start.ts';
import { isPending } from '../../app/sync/running-session.ts';
import { configOf, type Hook } from './hook.ts';

export async function onStart(hook: Hook): Promise<string> {
  const { world, input, state } = hook;
  if (input.source === 'compact') return afterCompaction(hook);
  // A context begins: nothing was injected into it. A resumed one still holds what was.
  if (input.source !== 'resume') state.told = [];
  const project = await projectHere(world);
  if (project === undefined) return '';
  const config = await configOf(hook, project);
  const text = config.hooks.startTokens === 0 ? '' : await startText(world, state, project, config);
  if (hook.shown && input.source !== 'resume') {
    const notice = await ownMemoryNotice(world, project);
    if (notice !== undefined) hook.shown.push(notice);
  }
  return text;
}

/** Most versions write the summary only after this: then the next prompt or tool call injects what it lost. */
async function afterCompaction({ world, input, state, config }: Hook): Promise<string> {
  const { compactionText, noteCompaction } = await import('../../app/inject/compaction.ts');
  if (!(await isPending(world, state.session))) {
    const file = await world.transcripts.inspect(input.transcript);
    await noteCompaction(world, state, file && file !== 'folder' ? file.size : 0);
  }
  return (await compactionText(world, state, input.transcript, config)) ?? '';
}
