const OWN_TOOL = /^mcp__(?:plugin_keepsake_)?keepsake__/;
/** The archive where nobody gave it another place. */
const ARCHIVE = /(?:^|[\\/])\.claude-memory(?:[\\/]|$)/;

/** Whether a call only asks Keepsake, by its tools, commands, agents or files: memory does not remember itself. */
export function isMemoryCall(name: string, input: Record<string, unknown>): boolean {
  const field = (key: string) => (typeof input[key] === 'string' ? input[key] : '');
  switch (name) {
    case 'Bash':
      return isMemoryCommand(field('command'));
    case 'Read':
      return ARCHIVE.test(field('file_path'));
    case 'Grep':
    case 'Glob':
      return ARCHIVE.test(field('path'));
    case 'Task':
    case 'Agent':
      return field('subagent_type').startsWith('keepsake:');
    default:
      return OWN_TOOL.test(name);
  }
}

const QUOTED = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|'[^']*(?:'|$)/g;
const OWN_RUN =
  /^(?:\w+=\S* +)*(?:(?:npx|bunx|pnpm exec|pnpm dlx|yarn) +(?:-\S+ +)*)?(?:[\w.~$-]*\/)*keepsake(?:@\S+)?(?=\s|[|>&]|$)/;

/** Whether a shell command runs nothing but Keepsake, whatever its output is piped to. */
function isMemoryCommand(command: string): boolean {
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
