import { Fault } from '../../core/model/fault.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { answerRecall, answerSearch, answerSuggestions, nothingAbout } from '../answer/memory.ts';
import { faultText, orFault } from '../or-fault.ts';
import type { Reads } from '../reads.ts';
import type { HookSession } from '../sync/running-session.ts';
import type { World } from '../world.ts';

type SlashCommand = {
  /** What is brought up to date before it is answered. */
  reads: Reads;
  answer(world: World, state: HookSession, words: string): Promise<string>;
};

const COMMANDS = new Map<string, SlashCommand>(
  Object.entries({
    recall: {
      reads: 'sessions',
      answer: async (world, state, words) => {
        const { text, place } = await answerRecall(world, words, { except: knownTo(state) });
        return text || nothingAbout(words, place);
      },
    },
    search: {
      reads: 'index',
      answer: async (world, _, words) =>
        words === '' ? '' : (await answerSearch(world, words)).text || nothingAbout(words),
    },
    suggest: {
      reads: 'sessions',
      answer: async (world, _, words) => (await answerSuggestions(world, words)).text || nothingAbout(words),
    },
    remember: {
      reads: 'nothing',
      answer: async (world, _, words) => (words === '' ? '' : rememberedText(world, words)),
    },
    compose: { reads: 'sessions', answer: composeText },
    summarize: {
      reads: 'nothing',
      answer: (world, { session }, words) => journalText((it) => it.summarizeBrief(world, session, words)),
    },
    synthesize: { reads: 'nothing', answer: (world) => journalText((it) => it.synthesizeBrief(world)) },
    status: { reads: 'nothing', answer: statusText },
  } satisfies Record<string, SlashCommand>),
);

/** What a slash command reads, and the session that need not be up to date for it. */
export function commandReads(name: string, state: HookSession): { reads: Reads; except?: SessionId } {
  const except = name === 'recall' ? knownTo(state) : undefined;
  return { reads: COMMANDS.get(name)?.reads ?? 'nothing', ...(except ? { except } : {}) };
}

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
  const text = (await COMMANDS.get(name)?.answer(world, state, words)) ?? '';
  return text === '' ? '' : answered(name, text);
}

/** The session that asks, as long as its agent has all of it before its eyes: a compaction takes some away. */
function knownTo({ session, compacted }: HookSession): SessionId | undefined {
  return compacted === undefined ? session : undefined;
}

function answered(name: string, text: string): string {
  return `Keepsake's answer to /keepsake:${name}:\n\n${text}`;
}

/** The words came from the user's own prompt: they are the user's. */
async function rememberedText(world: World, words: string): Promise<string> {
  const { answerRemembered } = await import('../answer/remembered.ts');
  const answer = await orFault(answerRemembered(world, { content: words, by: 'user' }));
  return answer instanceof Fault ? `It was not remembered. ${faultText(answer)}` : answer;
}

/** Loaded when it is asked for: other commands have no use for it. */
async function journalText(
  brief: (journal: typeof import('../answer/journal.ts')) => Promise<string>,
): Promise<string> {
  const text = await orFault(brief(await import('../answer/journal.ts')));
  return text instanceof Fault ? faultText(text) : text;
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
