/** Who speaks, in the words of the page. */
export const WHO: Record<string, string> = {
  user: 'You',
  assistant: 'Agent',
  tool: 'Tool',
  system: 'System',
};
