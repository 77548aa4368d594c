import type { AgentFolder, OtherAgent } from './agent.ts';
import { clinePlugin, opencodePlugin, piExtension } from './agent-plugins.ts';
import { HOOK_FOR } from './hook-for.ts';

/** What an agent is to run: this very Node, this program, and its hook. */
export type SetupProgram = { node: string; program: string; hook: string };

export type SetupEntry = {
  /** What it is, for a person. */
  what: string;
  format: 'json' | 'toml';
  /** Files below the agent's folder, of which the first that exists is edited, or the first of all is made. */
  files: readonly string[];
  /** Where in it the entry goes. */
  at: readonly string[];
  entry: (program: SetupProgram) => Record<string, unknown>;
  /** The place is a list, and the item that contains these words is Keepsake's. */
  own?: string;
};

/** A file that is Keepsake's alone, below the agent's folder. */
export type SetupFile = { what: string; file: string; text: (program: SetupProgram) => string };

/** What an agent can take of Keepsake, by its own conventions. */
type AgentSetup = {
  /** The folder of its settings, where that is not the folder of its sessions. */
  folder?: AgentFolder;
  entries?: readonly SetupEntry[];
  plugin?: SetupFile;
  /** Below its folder: the instructions it reads before every session. */
  instructions?: string;
  /** It shows its model a server's instructions, and descriptions of tools only on request. */
  defersTools?: true;
};

/** Where an agent keeps its settings here, and folders that show that it is here. */
export type SetupPlace = { agent: OtherAgent; folder: string; signs: string[] };

const SERVER = 'the MCP server "keepsake"';
/** An agent without hooks names itself: it gets the rules of the project by the server. */
const serverArgs = (program: string, agent?: OtherAgent) => [
  program,
  'mcp',
  ...(agent ? ['--for', agent] : []),
];
const command = ({ node, program }: SetupProgram, agent?: OtherAgent) => ({
  command: node,
  args: serverArgs(program, agent),
});
const servers = (file: string, agent?: OtherAgent, more: Record<string, unknown> = {}): SetupEntry => ({
  what: SERVER,
  format: 'json',
  files: [file],
  at: ['mcpServers', 'keepsake'],
  entry: (program) => ({ ...more, ...command(program, agent) }),
});

const hookCommand = ({ node, hook }: SetupProgram, agent: string) =>
  `"${node}" "${hook}" ${HOOK_FOR}${agent}`;

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
    entry: (program) => ({ hooks: [{ type: 'command', command: hookCommand(program, agent), timeout }] }),
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
        entry: (program) => command(program),
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
        entry: ({ node, program }) => ({
          type: 'local',
          command: [node, ...serverArgs(program)],
          enabled: true,
        }),
      },
    ],
    plugin: { what: 'a plugin with a hook for prompts', file: 'plugin/keepsake.js', text: opencodePlugin },
    instructions: 'AGENTS.md',
  },
  qwen: {
    entries: [servers('settings.json'), ...hooks('qwen', 'settings.json')],
    instructions: 'QWEN.md',
  },
  copilot: {
    entries: [
      servers('mcp-config.json', undefined, { type: 'local', tools: ['*'] }),
      ...hooks('copilot', 'hooks/keepsake.json', { timeout: 10 }),
    ],
    instructions: 'copilot-instructions.md',
  },
  cursor: { entries: [servers('mcp.json', 'cursor')] },
  cline: {
    entries: [servers('data/settings/cline_mcp_settings.json')],
    plugin: { what: 'a plugin with a hook for prompts', file: 'plugins/keepsake.js', text: clinePlugin },
  },
  droid: { entries: [servers('mcp.json', 'droid', { type: 'stdio' })], instructions: 'AGENTS.md' },
  kimi: {
    entries: [
      servers('mcp.json'),
      {
        what: 'a hook for UserPromptSubmit',
        format: 'toml',
        files: ['config.toml'],
        at: ['hooks'],
        own: HOOK_FOR,
        entry: (program) => ({
          event: 'UserPromptSubmit',
          command: hookCommand(program, 'kimi'),
          timeout: 10,
        }),
      },
    ],
    instructions: 'AGENTS.md',
  },
  grok: {
    entries: [
      {
        what: SERVER,
        format: 'toml',
        files: ['config.toml'],
        at: ['mcp_servers', 'keepsake'],
        entry: (program) => command(program, 'grok'),
      },
    ],
    defersTools: true,
  },
  pi: {
    plugin: {
      what: 'an extension with a hook for prompts',
      file: 'extensions/keepsake.ts',
      text: piExtension,
    },
    instructions: 'AGENTS.md',
  },
  'vscode-copilot': {
    folder: { path: 'editors', behind: 'Code/User' },
    entries: [
      {
        what: SERVER,
        format: 'json',
        files: ['mcp.json'],
        at: ['servers', 'keepsake'],
        entry: (program) => ({ type: 'stdio', ...command(program, 'vscode-copilot') }),
      },
    ],
  },
  roo: {
    folder: { path: 'editors', behind: 'Code/User/globalStorage/rooveterinaryinc.roo-cline' },
    entries: [servers('settings/mcp_settings.json', 'roo')],
  },
};

export const SETUP_AGENTS = Object.keys(AGENT_SETUPS) as OtherAgent[];
