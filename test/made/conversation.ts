/** What was said in one turn, by whom, when and on which branch. */
export type Turn = { you?: string; agent?: string; at?: string; branch?: string };

/** Lines as Claude Code writes them. */
export function transcript(cwd: string, sessionId: string, turns: Turn[]): string {
  let parentUuid: string | null = null;
  const lines: string[] = [];
  turns.forEach((turn, index) => {
    const say = (role: 'user' | 'assistant', text: string) => {
      const uuid = `${sessionId}-${role}-${index}`;
      const message =
        role === 'user'
          ? { role, content: text }
          : { id: `msg_${index}`, role, model: 'claude-test-1', content: [{ type: 'text', text }] };
      lines.push(
        JSON.stringify({
          parentUuid,
          isSidechain: false,
          userType: 'external',
          cwd,
          sessionId,
          version: '2.1.0',
          gitBranch: turn.branch ?? 'main',
          type: role,
          message,
          uuid,
          timestamp: turn.at ?? `2026-01-05T10:${String(index).padStart(2, '0')}:00.000Z`,
        }),
      );
      parentUuid = uuid;
    };
    if (turn.you !== undefined) say('user', turn.you);
    if (turn.agent !== undefined) say('assistant', turn.agent);
  });
  return `${lines.join('\n')}\n`;
}
