import { projectHere } from '../../app/find/locate-project.ts';
import { promptText } from '../../app/inject/prompt.ts';
import { takeNotice } from '../../app/sync/running-delta.ts';
import { hasAnswered, isPending } from '../../app/sync/running-session.ts';
import { syncRunning } from '../../app/sync/sync-running.ts';
import { configOf, type Hook } from './hook.ts';

const OWN_COMMAND = /^\s*\/keepsake:([a-z]+)(?:\s+([\s\S]*))?$/;

export async function onPrompt(hook: Hook): Promise<string> {
  const { world, input, state } = hook;
  const own = OWN_COMMAND.exec(input.prompt);
  if (own) return answerCommand(hook, own[1] ?? '', (own[2] ?? '').trim());
  // What a compaction lost comes before anything else.
  if (await isPending(world, state.session)) {
    const { compactionText } = await import('../../app/inject/compaction.ts');
    const lost = await compactionText(world, state, input.transcript, hook.config);
    if (lost) return lost;
  }
  if (/^\s*[/!#]/.test(input.prompt)) return '';
  const project = state.place?.project ?? (await projectHere(world));
  if (project === undefined) return '';
  const config = await configOf(hook, project);
  if (config.hooks.promptTokens === 0) return '';
  await syncRunning(world, { except: state.session, project });
  const notice = takeNotice(state);
  const isFollowUp = await hasAnswered(world, state.session);
  const text = await promptText(world, state, { project, prompt: input.prompt, isFollowUp }, config);
  return [text, notice].filter((part) => part !== '').join('\n\n');
}

async function answerCommand({ world, state }: Hook, name: string, words: string): Promise<string> {
  const [{ commandReads, commandText }, { syncFor }] = await Promise.all([
    import('../../app/inject/command.ts'),
    import('../../app/sync/sync-for.ts'),
  ]);
  const { reads, except } = commandReads(name, state);
  await syncFor(world, reads, except);
  return commandText(world, state, name, words);
}
