/** A folder in which an agent keeps sessions. `variable` moves it, to what it names or to `behind` below that. */
export type AgentFolder = { path: string; variable?: string; behind?: string };

type AgentRow = {
  id: string;
  name: string;
  /** Where it keeps its sessions: `~` is the home folder, `editors` where editors keep their data. */
  folders?: readonly AgentFolder[];
  /** What it keeps inside every project. */
  inProject?: string;
  /** It may write its whole session again, which replaces nothing. */
  rewrites?: true;
  /** Read by what is published of its format: no file of it was there to be tried. */
  untried?: true;
  /** Read only when a user asks for it: `keepsake import --from`. */
  asked?: true;
};

/** Defaults of variables that are not set. */
const DATA = { variable: 'XDG_DATA_HOME' } as const;

/** Every agent whose sessions are read, one line each; `CONTRIBUTING.md` says what else a new one takes. */
const TABLE = [
  { id: 'claude-code', name: 'Claude Code' },
  { id: 'generic', name: 'other chats' },
  { id: 'talk', name: 'talk of another machine' },
  { id: 'codex', name: 'Codex CLI', folders: [{ path: '~/.codex', variable: 'CODEX_HOME' }] },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    rewrites: true,
    folders: [{ path: '~/.gemini', variable: 'GEMINI_CLI_HOME', behind: '.gemini' }],
  },
  {
    id: 'opencode',
    name: 'OpenCode',
    folders: [{ path: '~/.local/share/opencode', ...DATA, behind: 'opencode' }],
  },
  { id: 'cursor', name: 'Cursor', folders: [{ path: '~/.cursor' }] },
  { id: 'copilot', name: 'GitHub Copilot CLI', folders: [{ path: '~/.copilot', variable: 'COPILOT_HOME' }] },
  { id: 'vscode-copilot', name: 'Copilot in VS Code', folders: [{ path: 'editors' }] },
  { id: 'qwen', name: 'Qwen Code', folders: [{ path: '~/.qwen', variable: 'QWEN_HOME' }] },
  {
    id: 'pi',
    name: 'pi and openclaw',
    folders: [
      { path: '~/.pi/agent', variable: 'PI_CODING_AGENT_DIR' },
      { path: '~/.openclaw', variable: 'OPENCLAW_STATE_DIR' },
    ],
  },
  { id: 'cline', name: 'Cline', folders: [{ path: '~/.cline', variable: 'CLINE_DIR' }, { path: 'editors' }] },
  { id: 'specstory', name: 'SpecStory', inProject: '.specstory/history' },
  { id: 'claude-export', name: 'Claude Code (/export)' },
  { id: 'droid', name: 'Factory Droid', folders: [{ path: '~/.factory' }] },
  { id: 'kimi', name: 'Kimi Code', folders: [{ path: '~/.kimi-code', variable: 'KIMI_CODE_HOME' }] },
  { id: 'grok', name: 'Grok', folders: [{ path: '~/.grok', variable: 'GROK_HOME' }] },
  { id: 'hermes', name: 'Hermes', folders: [{ path: '~/.hermes', variable: 'HERMES_HOME' }] },
  {
    id: 'antigravity',
    name: 'Antigravity',
    folders: [
      { path: '~/.gemini/antigravity' },
      { path: '~/.gemini/antigravity-cli' },
      { path: '~/.gemini/antigravity-ide' },
    ],
  },
  {
    id: 'amp',
    name: 'Amp',
    untried: true,
    folders: [{ path: '~/.local/share/amp', ...DATA, behind: 'amp' }],
  },
  { id: 'aider', name: 'Aider', untried: true, inProject: '.' },
  { id: 'roo', name: 'Roo Code', untried: true, folders: [{ path: 'editors' }] },
  { id: 'cursor-ide', name: 'Cursor (editor)', asked: true, untried: true, folders: [{ path: 'editors' }] },
  {
    id: 'claude-mem',
    name: 'claude-mem',
    asked: true,
    folders: [{ path: '~/.claude-mem', variable: 'CLAUDE_MEM_DATA_DIR' }],
  },
  {
    id: 'memory-files',
    name: 'memory files',
    asked: true,
    folders: [
      { path: '~/.claude', variable: 'CLAUDE_CONFIG_DIR' },
      { path: '~/.codex', variable: 'CODEX_HOME' },
      { path: '~/.gemini', variable: 'GEMINI_CLI_HOME', behind: '.gemini' },
      { path: '~/.qwen', variable: 'QWEN_HOME' },
    ],
  },
] as const satisfies readonly AgentRow[];

export type Agent = (typeof TABLE)[number]['id'];
/** What is read only when a user asks for it: other memories, and what costs too much to look at with every sync. */
export type AskedAgent = Extract<(typeof TABLE)[number], { asked: true }>['id'];
/** Agents whose sessions Keepsake finds automatically. */
export type OtherAgent = Exclude<
  Extract<(typeof TABLE)[number], { folders: unknown } | { inProject: string }>['id'],
  AskedAgent
>;

export const AGENT_TABLE: readonly (AgentRow & { id: Agent })[] = TABLE;
export const AGENTS = TABLE.map(({ id }) => id) as [Agent, ...Agent[]];
export const OTHER_AGENTS = AGENT_TABLE.filter((row) => !row.asked && (row.folders || row.inProject)).map(
  ({ id }) => id,
) as OtherAgent[];
export const ASKED_AGENTS = AGENT_TABLE.filter(({ asked }) => asked).map(({ id }) => id) as AskedAgent[];

export function agentRow(agent: string): (AgentRow & { id: Agent }) | undefined {
  return AGENT_TABLE.find(({ id }) => id === agent);
}

export function isAgent(name: string): name is Agent {
  return agentRow(name) !== undefined;
}

/** What a person calls it. */
export function agentName(agent: string): string {
  return agentRow(agent)?.name ?? agent;
}

/** Kept by Keepsake itself, or by anyone: no agent's name. */
const NAMELESS: ReadonlySet<Agent> = new Set<Agent>(['generic', 'talk']);
const NAMES = AGENT_TABLE.filter(({ id, asked }) => !asked && !NAMELESS.has(id)).map(({ name }) => name);

/** The message for a file that belongs to none of these. */
export const AGENTS_READ = `Keepsake reads sessions of ${NAMES.slice(0, -1).join(', ')} and ${NAMES.at(-1)}, and chats of lines like {"ts":"2026-01-05T10:00:00Z","role":"user","text":"..."}.`;
