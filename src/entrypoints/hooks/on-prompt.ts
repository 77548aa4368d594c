import { compactionText } from '../../app/hook-compaction.ts';
import { promptText } from '../../app/hook-prompt.ts';
import { projectHere } from '../../app/recall-scope.ts';
import type { Hook } from './hook.ts';

const OWN_COMMAND = /^\s*\/keepsake:([a-z]+)(?:\s+([\s\S]*))?$/;

export async function onPrompt(hook: Hook): Promise<string> {
  const { world, input, state, config } = hook;
  const own = OWN_COMMAND.exec(input.prompt);
  if (own) {
    const { commandText } = await import('../../app/hook-command.ts');
    return commandText(world, state, own[1] ?? '', (own[2] ?? '').trim());
  }
  // What a compaction took away comes before what would fit besides.
  if (state.pending) {
    const lost = await compactionText(world, state, input.transcript, config);
    if (lost) return lost;
  }
  if (config.hooks.promptTokens === 0 || /^\s*[/!#]/.test(input.prompt)) return '';
  const project = state.place?.project ?? (await projectHere(world));
  return project === undefined ? '' : promptText(world, state, project, input.prompt, config);
}
