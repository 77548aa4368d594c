import { AGENT_FILES } from '../../../src/adapters/agents/agent-table.ts';
import { at, type Happening } from '../happening.ts';

/** The document that Cline's command writes. */
export function clineDocument(list: Happening[]): string {
  const messages: object[] = [];
  const put = (index: number, role: string, content: object) =>
    messages.push({ id: `m${messages.length}`, role, content: [content], ts: Date.parse(at(index)) });
  list.forEach((one, index) => {
    if (one.kind === 'ask')
      put(index, 'user', { type: 'text', text: `<user_input mode="act">${one.text}</user_input>` });
    else if (one.kind === 'answer') put(index, 'assistant', { type: 'text', text: one.text });
    else {
      put(index, 'assistant', {
        type: 'tool_use',
        id: `c${index}`,
        name: 'run_commands',
        input: { commands: [one.command] },
      });
      const done = { query: one.command, result: one.output, success: !one.fails };
      put(index, 'user', {
        type: 'tool_result',
        tool_use_id: `c${index}`,
        name: 'run_commands',
        content: [done],
      });
    }
  });
  const system_prompt =
    'You are Cline.\n<env>\n1. Platform: linux\n4. Working Directory: /srv/my shop\n</env>';
  return JSON.stringify({ version: 1, sessionId: 'made', agent: 'lead', messages, system_prompt });
}

/** As the archive keeps it. */
export function cline(list: Happening[]): object[] {
  const rows = AGENT_FILES.cline.document?.rows({
    text: clineDocument(list),
    path: '/x.json',
    isEnded: true,
  });
  return [...(rows ?? [])];
}

/** The document of Cline's extension, and of those made from it. */
function task(agent: string, list: Happening[]): object[] {
  return cline(list).map((row) => ({ ...row, staged: agent }));
}

export const roo = (list: Happening[]) => task('roo', list);
