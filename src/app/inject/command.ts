import { Fault } from '../../core/model/fault.ts';
import type { SessionId } from '../../core/model/ids.ts';
import {
  answerRecall,
  answerSearch,
  answerSuggestions,
  nothingAbout,
  nothingToSuggest,
} from '../answer/memory.ts';
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
      answer: async (world, _, words) =>
        (await answerSuggestions(world, words)).text || nothingToSuggest(words),
    },
    remember: {
      reads: 'nothing',
      answer: async (world, state, words) => (words === '' ? '' : rememberedText(world, state, words)),
    },
    compose: { reads: 'sessions', answer: composeText },
    summarize: {
      reads: 'nothing',
      answer: (world, { session }, words) => journalText((it) => it.summarizeBrief(world, session, words)),
    },
    synthesize: { reads: 'nothing', answer: (world) => journalText((it) => it.synthesizeBrief(world)) },
    status: { reads: 'nothing', answer: statusText },
    off: { reads: 'nothing', answer: (world, state) => recordText(world, state, false) },
    on: { reads: 'nothing', answer: (world, state) => recordText(world, state, true) },
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
async function rememberedText(world: World, { session }: HookSession, words: string): Promise<string> {
  const [{ answerRemembered }, { refuseUnrecorded }] = await Promise.all([
    import('../answer/remembered.ts'),
    import('../find/recording.ts'),
  ]);
  const allowed = refuseUnrecorded(world, { session, cwd: world.places.cwd });
  const answer = await orFault(allowed.then(() => answerRemembered(world, { content: words, by: 'user' })));
  return answer instanceof Fault ? `The fact was not saved. ${faultText(answer)}` : answer;
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

/** Turns recording of this session off or on, and says what that means for what was recorded before. */
async function recordText(world: World, { session }: HookSession, on: boolean): Promise<string> {
  const [{ startRecording, stopRecording }, { keptOutFault, Recording }] = await Promise.all([
    import('../sync/recording.ts'),
    import('../find/recording.ts'),
  ]);
  if (!on) {
    await stopRecording(world, session);
    return [
      `Session ${session} is not recorded from now on.`,
      `What was recorded before is kept. To delete it, run: keepsake purge --session ${session}`,
      'To record it again, including what is said until then: /keepsake:on',
    ].join('\n');
  }
  const changed = await startRecording(world, session);
  const out = await new Recording(world).keptOut({ session, cwd: world.places.cwd });
  if (out) return faultText(keptOutFault(out, 'This session'));
  return changed
    ? `Session ${session} is recorded again, including what was said while recording was off.`
    : `Session ${session} is recorded; recording was not off.`;
}

async function statusText(world: World, { session, place }: HookSession): Promise<string> {
  const { readStatus } = await import('../maintenance/status.ts');
  const status = await readStatus(world);
  const { transcripts } = status;
  return [
    `- ${status.sessions} sessions of ${status.projects} projects archived, ${status.messages} messages, ${status.keepits} keepits.`,
    `- ${transcripts.notSynced} transcripts are new or have grown since the last sync. \`keepsake sync\` archives them.`,
    `- ${transcripts.soonDeletedNotSynced} of them will be deleted by the agent within a week.`,
    `- This session is ${session}${place ? `, stored in ${place.kept}` : ', not read yet'}.`,
  ].join('\n');
}
