/** Who speaks, in the words of the page. */
export const WHO: Record<string, string> = {
  user: 'You',
  assistant: 'Agent',
  tool: 'Tool',
  system: 'System',
};

/** The same where someone else had the conversation. */
export function whoSpeaks(role: string, by: string | undefined): string {
  return role === 'user' && by !== undefined ? by : (WHO[role] ?? role);
}
