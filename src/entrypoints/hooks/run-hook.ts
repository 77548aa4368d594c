import { loadHookSession, saveHookSession } from '../../app/sync/running-session.ts';
import type { World } from '../../app/world.ts';
import type { QueuedWork } from '../../core/model/detached-work.ts';
import { Fault, type FaultCode } from '../../core/model/fault.ts';
import { hookAnswer } from '../../core/model/hook-for.ts';
import type { Detached } from '../../ports/detached.ts';
import type { Hook, OnEvent } from './hook.ts';
import { readHookInput } from './hook-input.ts';

/** What the composition root hands to a hook. */
export type HookHost = {
  /** The session is kept out of the archive: nothing is noted of it. */
  keptOut: boolean;
  /** Another agent than Claude Code: it may write what a hook says among the words of its user. */
  other?: string | undefined;
  openWorld(cwd: string): World;
  detached: Detached;
  /** `text` names the kind of trouble and no more; the error itself is for who asked to see it. */
  failed(text: string, error: unknown): Promise<void>;
};

/**
 * The agent knows more events than these; a plugin may only name those that every version knows. The end of a session is left
 * to detached work before this is loaded.
 */
const EVENTS: Record<string, () => Promise<OnEvent>> = {
  PostToolUse: async () => (await import('./on-work.ts')).onPostToolUse,
  Stop: async () => (await import('./on-work.ts')).onStop,
  SubagentStop: async () => (await import('./on-work.ts')).onSubagentStop,
  UserPromptSubmit: async () => (await import('./on-prompt.ts')).onPrompt,
  // Gemini CLI's name for it.
  BeforeAgent: async () => (await import('./on-prompt.ts')).onPrompt,
  SessionStart: async () => (await import('./on-start.ts')).onStart,
  PreCompact: async () => (await import('./on-work.ts')).onPreCompact,
};
/** Others are at work, or there is nothing to work on: no reason for a line in the log. */
const QUIET = new Set<FaultCode>(['busy', 'conflict', 'newer-version', 'not-found']);
/** With the quotes and names around it this stays under what the agent takes from a hook. */
const MOST_CHARACTERS = 9900;

/** The answer to a hook's input, for stdout. Never throws: whatever goes wrong, the agent is not disturbed. */
export async function runHook(text: string, host: HookHost): Promise<string> {
  let world: World | undefined;
  try {
    const input = readHookInput(text);
    const load = input && Object.hasOwn(EVENTS, input.event) ? EVENTS[input.event] : undefined;
    if (!input || !load) return '';
    world = host.openWorld(input.cwd);
    const isOther = host.other !== undefined;
    const before = input.event === 'SessionStart' || isOther ? host.detached.waiting() : [];
    if (before.some(isForStart)) {
      const { finishBefore } = await import('./finish-before.ts');
      await finishBefore({ world, input, detached: host.detached }, before);
      // What it has read of the archive was before that.
      await closed(world);
      world = host.openWorld(input.cwd);
    }
    const state = await loadHookSession(world, input.session);
    const { config, warnings } = await world.settings.resolve(state.place?.settings);
    // Once a session: hooks run often, and nobody mends a file in between.
    if (input.event === 'SessionStart') for (const warning of warnings) world.log?.(warning.slice(0, 500));
    if (!config.hooks.enabled) return '';
    const known = JSON.stringify(state);
    const on = await load();
    try {
      const hook: Hook = { world, input, state, config, detached: host.detached };
      const shown: string[] = [];
      if (!isOther) hook.shown = shown;
      // Not every agent has an event for the start: then the first prompt is it.
      const isFirst = isOther && input.event !== 'SessionStart' && state.told.length === 0;
      const start = isFirst ? await (await import('./on-start.ts')).onStart(hook) : '';
      const said = [start, await on(hook)].filter((part) => part !== '').join('\n\n');
      if (!isOther) {
        const full = answer(hookAnswer('', input.event, said, shown.join('\n')));
        return full || answer(hookAnswer('', input.event, said));
      }
      return said === '' ? '' : answer(hookAnswer(host.other ?? '', input.event, await marked(said)));
    } finally {
      if (!host.keptOut && (isOther || JSON.stringify(state) !== known)) await saveHookSession(world, state);
    }
  } catch (error) {
    await host.failed(logLineOf(error), error).catch(() => undefined);
    return '';
  } finally {
    await closed(world);
  }
}

/** What counts in a session that starts. */
const isForStart = ({ kind }: QueuedWork) => kind === 'session-end' || kind === 'unread';

/** No word of it becomes the user's when the other agent's session is read. */
async function marked(text: string): Promise<string> {
  const { beginMark, composedId, endMark } = await import('../../core/text/composed-marks.ts');
  const id = composedId(text);
  return `${beginMark(id)}\n${text}\n${endMark(id)}`;
}

function answer(said: object): string {
  if (Object.keys(said).length === 0) return '';
  const out = JSON.stringify(said);
  return out.length <= MOST_CHARACTERS ? out : '';
}

/** The kind of fault and where it came from; never a message, which may hold what someone said. */
export function logLineOf(error: unknown): string {
  if (error instanceof Fault) return QUIET.has(error.code) ? '' : `hook: ${error.code}`;
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const places = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .join(' ');
  return `hook: ${error instanceof Error ? error.name : typeof error}${places}`;
}

async function closed(world: World | undefined): Promise<void> {
  await world?.archive.close().catch(() => undefined);
  await world?.index.close().catch(() => undefined);
}
