import { at, type Happening } from '../happening.ts';

/** As GitHub Copilot's command writes it. */
export function copilot(list: Happening[]): object[] {
  const lines: object[] = [];
  const put = (index: number, type: string, data: object) =>
    lines.push({ type, data, id: `e${lines.length}`, timestamp: at(index), parentId: null });
  put(0, 'session.start', { sessionId: 'made', version: 1, context: { cwd: '/srv/shop', branch: 'main' } });
  list.forEach((one, index) => {
    if (one.kind === 'ask') {
      const transformedContent = `<current_datetime>${at(index)}</current_datetime>\n\n${one.text}`;
      put(index, 'user.message', { content: one.text, transformedContent });
    } else if (one.kind === 'answer')
      put(index, 'assistant.message', { content: one.text, toolRequests: [], model: 'made-1' });
    else {
      const call = { toolCallId: `c${index}`, name: 'bash', arguments: { command: one.command } };
      put(index, 'assistant.message', { content: '', toolRequests: [call] });
      put(index, 'tool.execution_start', { toolCallId: `c${index}`, toolName: 'bash' });
      const shellExecution = { exitCode: one.fails ? 1 : 0 };
      const result = {
        content: `${one.output}\n<shellId: 0 completed with exit code ${shellExecution.exitCode}>`,
      };
      put(index, 'tool.execution_complete', {
        toolCallId: `c${index}`,
        success: true,
        result,
        shellExecution,
      });
    }
  });
  return lines;
}
