import type { AgentFolder, OtherAgent } from './agent.ts';
import { HOOK_FOR } from './hook-for.ts';

/** What an agent is to run: this very Node, this program, and its hook. */
export type SetupProgram = { node: string; program: string; hook: string };

type SetupEntry = {
  /** What it is, for a person. */
  what: string;
  format: 'json' | 'toml';
  /** Files below the agent's folder, of which the first that exists is edited, or the first of all is made. */
  files: readonly string[];
  /** Where in it the entry goes. */
  at: readonly string[];
  entry: (program: SetupProgram) => Record<string, unknown>;
  /** The place is a list, and the item that holds these words is Keepsake's. */
  own?: string;
};

/** What an agent can take of Keepsake, by its own conventions. */
type AgentSetup = {
  /** The folder of its settings, where that is not the folder of its sessions. */
  folder?: AgentFolder;
  entries?: readonly SetupEntry[];
  /** Below its folder: what it reads before every session. */
  instructions?: string;
};

/** Where an agent keeps its settings here, and folders that show that it is here. */
export type SetupPlace = { agent: OtherAgent; folder: string; signs: string[] };

const SERVER = 'the MCP server "keepsake"';
const command = ({ node, program }: SetupProgram) => ({ command: node, args: [program, 'mcp'] });
const servers = (file: string, more: Record<string, unknown> = {}): SetupEntry => ({
  what: SERVER,
  format: 'json',
  files: [file],
  at: ['mcpServers', 'keepsake'],
  entry: (program) => ({ ...more, ...command(program) }),
});

/** Hooks of Claude Code's form: at the start of a session, and beside a prompt. */
function hooks(
  agent: string,
  file: string,
  { prompt = 'UserPromptSubmit', timeout = 10_000 } = {},
): SetupEntry[] {
  return ['SessionStart', prompt].map((event) => ({
    what: `a hook for ${event}`,
    format: 'json',
    files: [file],
    at: ['hooks', event],
    own: HOOK_FOR,
    entry: ({ node, hook }) => ({
      hooks: [{ type: 'command', command: `"${node}" "${hook}" ${HOOK_FOR}${agent}`, timeout }],
    }),
  }));
}

/** By what each documents, and as its client reads it where `docs/guide/agents.md` names one that was tried. */
export const AGENT_SETUPS: Partial<Record<OtherAgent, AgentSetup>> = {
  codex: {
    entries: [
      {
        what: SERVER,
        format: 'toml',
        files: ['config.toml'],
        at: ['mcp_servers', 'keepsake'],
        entry: command,
      },
      ...hooks('codex', 'hooks.json', { timeout: 10 }),
    ],
    instructions: 'AGENTS.md',
  },
  gemini: {
    entries: [servers('settings.json'), ...hooks('gemini', 'settings.json', { prompt: 'BeforeAgent' })],
    instructions: 'GEMINI.md',
  },
  opencode: {
    folder: { path: '~/.config/opencode', variable: 'XDG_CONFIG_HOME', behind: 'opencode' },
    entries: [
      {
        what: SERVER,
        format: 'json',
        files: ['opencode.json', 'opencode.jsonc'],
        at: ['mcp', 'keepsake'],
        entry: ({ node, program }) => ({ type: 'local', command: [node, program, 'mcp'], enabled: true }),
      },
    ],
    instructions: 'AGENTS.md',
  },
  qwen: {
    entries: [servers('settings.json'), ...hooks('qwen', 'settings.json')],
    instructions: 'QWEN.md',
  },
  copilot: {
    entries: [servers('mcp-config.json', { type: 'local', tools: ['*'] })],
    instructions: 'copilot-instructions.md',
  },
  cursor: { entries: [servers('mcp.json')] },
  cline: { entries: [servers('data/settings/cline_mcp_settings.json')] },
  droid: { entries: [servers('mcp.json', { type: 'stdio' })], instructions: 'AGENTS.md' },
  kimi: { entries: [servers('mcp.json')], instructions: 'AGENTS.md' },
  grok: {
    entries: [
      {
        what: SERVER,
        format: 'toml',
        files: ['config.toml'],
        at: ['mcp_servers', 'keepsake'],
        entry: command,
      },
    ],
  },
  pi: { instructions: 'AGENTS.md' },
  'vscode-copilot': {
    folder: { path: 'editors', behind: 'Code/User' },
    entries: [
      {
        what: SERVER,
        format: 'json',
        files: ['mcp.json'],
        at: ['servers', 'keepsake'],
        entry: (program) => ({ type: 'stdio', ...command(program) }),
      },
    ],
  },
  roo: {
    folder: { path: 'editors', behind: 'Code/User/globalStorage/rooveterinaryinc.roo-cline' },
    entries: [servers('settings/mcp_settings.json')],
  },
};

export const SETUP_AGENTS = Object.keys(AGENT_SETUPS) as OtherAgent[];
