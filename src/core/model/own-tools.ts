/** Keepsake's own tools, in whatever way they were installed: memory does not remember itself. */
export function isMemoryTool(name: string): boolean {
  return /^mcp__(?:plugin_keepsake_)?keepsake__/.test(name);
}

const QUOTED = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|'[^']*(?:'|$)/g;
const OWN_RUN =
  /^(?:\w+=\S* +)*(?:(?:npx|bunx|pnpm exec|pnpm dlx|yarn) +(?:-\S+ +)*)?(?:[\w.~$-]*\/)*keepsake(?:@\S+)?(?=\s|[|>&]|$)/;

/** Whether a shell command runs nothing but Keepsake, whatever its output is piped to. */
export function isMemoryCommand(command: string): boolean {
  if (!command.includes('keepsake')) return false;
  const steps = command
    .replace(QUOTED, '""')
    .split(/&&|\|\||;|\n/)
    .map((step) => step.trim())
    .filter((step) => step !== '' && !/^(?:cd|export) /.test(step));
  return steps.length > 0 && steps.every((step) => OWN_RUN.test(step));
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
