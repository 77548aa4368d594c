import { agentName } from '../model/agent.ts';

/**
 * How an agent is started with a text as its first prompt, where it can be. One that answers a first prompt only without its
 * user gets the text that way, and `openedBy` opens that session.
 */
type Target = { agent: string; command?: readonly string[]; openedBy?: readonly string[] };

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
  // Its predecessor has other short options: `--continue` is understood by both.
  kimi: { agent: 'kimi', command: ['kimi', '-p'], openedBy: ['kimi', '--continue'] },
  'vscode-copilot': { agent: 'vscode-copilot' },
  roo: { agent: 'roo' },
  amp: { agent: 'amp' },
  aider: { agent: 'aider' },
  hermes: { agent: 'hermes' },
  antigravity: { agent: 'antigravity' },
};

export const HANDOFF_TARGETS = Object.keys(TARGETS);

export type HandoffTarget = Omit<Target, 'agent'> & { id: string; name: string; isNative: boolean };

/** Undefined if there is no such agent. */
export function handoffTarget(asked: string): HandoffTarget | undefined {
  const id = asked === 'claude-code' ? 'claude' : asked;
  const found = Object.hasOwn(TARGETS, id) ? TARGETS[id] : undefined;
  if (!found) return undefined;
  const { agent, ...start } = found;
  return { ...start, id, name: agentName(agent), isNative: id === 'claude' };
}
