/** Keepsake's own tools, in whatever way they were installed: memory does not remember itself. */
export function isMemoryTool(name: string): boolean {
  return /^mcp__(?:plugin_keepsake_)?keepsake__/.test(name);
}

/** The client's own tools: what is in their refusals the client wrote. Another tool could forge the sentence. */
export const OWN_TOOLS: ReadonlySet<string> = new Set([
  'Bash',
  'Edit',
  'MultiEdit',
  'Write',
  'NotebookEdit',
  'Read',
  'Grep',
  'Glob',
  'ExitPlanMode',
  'EnterPlanMode',
  'AskUserQuestion',
  'Task',
  'Agent',
  'TaskCreate',
  'TaskUpdate',
  'TodoWrite',
  'Skill',
  'WebSearch',
  'WebFetch',
]);
