/** The agents whose sessions can be read; `generic` is any chat of lines with a role and a text. */
export const AGENTS = ['claude-code', 'generic', 'codex', 'gemini', 'opencode'] as const;
export type Agent = (typeof AGENTS)[number];

/** What a person is told when a file is none of these. */
export const AGENTS_READ =
  'Keepsake reads sessions of Claude Code, Codex CLI, Gemini CLI and OpenCode, and chats of lines like {"ts":"2026-01-05T10:00:00Z","role":"user","text":"..."}.';
