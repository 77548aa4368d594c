/** How a hook of an agent other than Claude Code is marked; the words that identify it as Keepsake's. */
export const HOOK_FOR = '--keepsake-for=';

/** Agents that take what a hook says from another field of its answer than Claude Code does. */
const ANSWERS: Record<string, (text: string) => object> = {
  copilot: (text) => ({ additionalContext: text }),
  kimi: (text) => ({ message: text }),
};

/** What a hook prints, as its agent reads it; `shown` is for the eyes of Claude Code's user. */
export function hookAnswer(agent: string, event: string, text: string, shown = ''): object {
  const answer = Object.hasOwn(ANSWERS, agent) ? ANSWERS[agent] : undefined;
  if (answer) return answer(text);
  return {
    ...(text === '' ? {} : { hookSpecificOutput: { hookEventName: event, additionalContext: text } }),
    ...(shown === '' ? {} : { systemMessage: shown }),
  };
}
