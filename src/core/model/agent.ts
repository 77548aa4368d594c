/** The agents whose sessions can be read; `generic` is any chat of lines with a role and a text. */
export const AGENTS = ['claude-code', 'generic', 'codex', 'gemini', 'opencode'] as const;
export type Agent = (typeof AGENTS)[number];
