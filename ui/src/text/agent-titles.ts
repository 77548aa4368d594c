/** Agents as people call them; a contract test holds them against the table of the core. */
const TITLES: Record<string, string> = {
  'claude-code': 'Claude Code',
  generic: 'Other chats',
  talk: 'Talk of another machine',
  codex: 'Codex CLI',
  gemini: 'Gemini CLI',
  opencode: 'OpenCode',
  cursor: 'Cursor',
  copilot: 'GitHub Copilot CLI',
  'vscode-copilot': 'Copilot in VS Code',
  qwen: 'Qwen Code',
  pi: 'pi and openclaw',
  cline: 'Cline',
  specstory: 'SpecStory',
  'claude-export': 'Claude Code (/export)',
  droid: 'Factory Droid',
  kimi: 'Kimi Code',
  grok: 'Grok',
  hermes: 'Hermes',
  antigravity: 'Antigravity',
  amp: 'Amp',
  aider: 'Aider',
  roo: 'Roo Code',
  'cursor-ide': 'Cursor (editor)',
  'claude-mem': 'claude-mem',
  'memory-files': 'Memory files',
};

/** One that has no name here is shown by its id. */
export function agentTitle(agent: string): string {
  return TITLES[agent] ?? agent;
}
