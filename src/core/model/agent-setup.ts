import type { AgentFolder, OtherAgent } from './agent.ts';

/** What an agent is to run: this very Node, and this program. */
export type SetupProgram = { node: string; program: string };

type McpEntry = {
  format: 'json' | 'toml';
  /** Files below the agent's folder, of which the first that exists is edited, or the first of all is made. */
  files: readonly string[];
  /** Where in it the entry goes. */
  at: readonly string[];
  entry: (program: SetupProgram) => Record<string, unknown>;
};

/** What an agent can take of Keepsake, by its own conventions. */
type AgentSetup = {
  /** The folder of its settings, where that is not the folder of its sessions. */
  folder?: AgentFolder;
  mcp?: McpEntry;
  /** Below its folder: what it reads before every session. */
  instructions?: string;
};

/** Where an agent keeps its settings here, and folders that show that it is here. */
export type SetupPlace = { agent: OtherAgent; folder: string; signs: string[] };

const command = ({ node, program }: SetupProgram) => ({ command: node, args: [program, 'mcp'] });
const servers = (file: string, more: Record<string, unknown> = {}): McpEntry => ({
  format: 'json',
  files: [file],
  at: ['mcpServers', 'keepsake'],
  entry: (program) => ({ ...more, ...command(program) }),
});

/** By what each documents, and as its client reads it where `docs/guide/agents.md` names one that was tried. */
export const AGENT_SETUPS: Partial<Record<OtherAgent, AgentSetup>> = {
  codex: {
    mcp: { format: 'toml', files: ['config.toml'], at: ['mcp_servers', 'keepsake'], entry: command },
    instructions: 'AGENTS.md',
  },
  gemini: { mcp: servers('settings.json'), instructions: 'GEMINI.md' },
  opencode: {
    folder: { path: '~/.config/opencode', variable: 'XDG_CONFIG_HOME', behind: 'opencode' },
    mcp: {
      format: 'json',
      files: ['opencode.json', 'opencode.jsonc'],
      at: ['mcp', 'keepsake'],
      entry: ({ node, program }) => ({ type: 'local', command: [node, program, 'mcp'], enabled: true }),
    },
    instructions: 'AGENTS.md',
  },
  qwen: { mcp: servers('settings.json'), instructions: 'QWEN.md' },
  copilot: {
    mcp: servers('mcp-config.json', { type: 'local', tools: ['*'] }),
    instructions: 'copilot-instructions.md',
  },
  cursor: { mcp: servers('mcp.json') },
  cline: { mcp: servers('data/settings/cline_mcp_settings.json') },
  droid: { mcp: servers('mcp.json', { type: 'stdio' }), instructions: 'AGENTS.md' },
  pi: { instructions: 'AGENTS.md' },
};

export const SETUP_AGENTS = Object.keys(AGENT_SETUPS) as OtherAgent[];
