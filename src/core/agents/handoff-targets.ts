import { agentName } from '../model/agent.ts';

/** How an agent is started with a text as its first prompt. */
type Target = { agent: string; command: readonly string[] };

/** By the name that a user types; Claude Code gets a session of its own. */
const TARGETS: Record<string, Target> = {
  claude: { agent: 'claude-code', command: ['claude', '--resume'] },
  codex: { agent: 'codex', command: ['codex'] },
  gemini: { agent: 'gemini', command: ['gemini', '-i'] },
  opencode: { agent: 'opencode', command: ['opencode', '--prompt'] },
  qwen: { agent: 'qwen', command: ['qwen', '-i'] },
  copilot: { agent: 'copilot', command: ['copilot', '-i'] },
  cursor: { agent: 'cursor', command: ['cursor-agent'] },
  cline: { agent: 'cline', command: ['cline', '-i'] },
  grok: { agent: 'grok', command: ['grok'] },
  droid: { agent: 'droid', command: ['droid'] },
  pi: { agent: 'pi', command: ['pi'] },
};

export const HANDOFF_TARGETS = Object.keys(TARGETS);

export type HandoffTarget = { id: string; name: string; command: readonly string[]; isNative: boolean };

/** Undefined where no such agent can be started. */
export function handoffTarget(asked: string): HandoffTarget | undefined {
  const id = asked === 'claude-code' ? 'claude' : asked;
  const found = Object.hasOwn(TARGETS, id) ? TARGETS[id] : undefined;
  return found && { id, name: agentName(found.agent), command: found.command, isNative: id === 'claude' };
}
