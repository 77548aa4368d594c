import { Fault } from '../../core/model/fault.ts';
import { nothingAbout, tellRecall, tellSearch, tellSuggestions } from '../answer/memory.ts';
import type { HookSession } from '../sync/running-session.ts';
import type { World } from '../world.ts';

/**
 * The answer to a slash command of the plugin. The words after it come through the hook and not through a shell, so that
 * a quote or a dollar sign in them is only that. Empty for a command that answers in another way.
 */
export async function commandText(
  world: World,
  state: HookSession,
  name: string,
  words: string,
): Promise<string> {
  // After a compaction its agent knows no longer all of it.
  const known = state.compacted === undefined ? state.session : undefined;
  switch (name) {
    case 'recall':
      return answered(name, (await tellRecall(world, words, { except: known })).text || nothingAbout(words));
    case 'search':
      return words === '' ? '' : answered(name, (await tellSearch(world, words)).text || nothingAbout(words));
    case 'suggest':
      return answered(name, (await tellSuggestions(world, words)).text || nothingAbout(words));
    case 'remember':
      return words === '' ? '' : answered(name, await rememberedText(world, words));
    case 'compose':
      return answered(name, await composeText(world, state, words));
    case 'summarize':
      return answered(name, await journalText((it) => it.summarizeBrief(world, state.session, words)));
    case 'synthesize':
      return answered(name, await journalText((it) => it.synthesizeBrief(world)));
    case 'status':
      return answered(name, await statusText(world, state));
    default:
      return '';
  }
}

function answered(name: string, text: string): string {
  return `Keepsake's answer to /keepsake:${name}:\n\n${text}`;
}

/** The words came from the user's own prompt: they are the user's. */
async function rememberedText(world: World, words: string): Promise<string> {
  const { tellRemembered } = await import('../answer/remembered.ts');
  try {
    return await tellRemembered(world, { content: words, by: 'user' });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `It was not remembered. ${[error.message, error.hint].filter(Boolean).join(' ')}`;
  }
}

/** Loaded when it is asked for: other commands have no use for it. */
async function journalText(
  brief: (journal: typeof import('../answer/journal.ts')) => Promise<string>,
): Promise<string> {
  try {
    return await brief(await import('../answer/journal.ts'));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [error.message, error.hint].filter(Boolean).join(' ');
  }
}

async function composeText(world: World, { session }: HookSession, words: string): Promise<string> {
  const { composeBrief } = await import('../answer/compose.ts');
  return composeBrief(world, session, words);
}

async function statusText(world: World, { session, place }: HookSession): Promise<string> {
  const { readStatus } = await import('../maintenance/status.ts');
  const status = await readStatus(world);
  const { transcripts } = status;
  return [
    `- ${status.sessions} sessions of ${status.projects} projects are kept, ${status.messages} messages, ${status.keepits} keepits.`,
    `- ${transcripts.notSynced} transcripts are not kept yet or have grown since; \`keepsake sync\` takes them in.`,
    `- ${transcripts.soonDeletedNotSynced} of them will be deleted by the agent within a week.`,
    `- This session is ${session}${place ? `, kept as ${place.kept}` : ', not read yet'}.`,
  ].join('\n');
}
