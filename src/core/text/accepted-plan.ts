/** Whether a message is a plan that the client sent in the user's place once it was accepted: its words are the agent's. */
export function isAcceptedPlan(text: string): boolean {
  return text.startsWith('Implement the following plan:\n');
}
