import { at, type Happening } from '../happening.ts';

/** As pi writes it, and openclaw. */
export function pi(list: Happening[]): object[] {
  const lines: object[] = [{ type: 'session', version: 3, id: 'made', timestamp: at(0), cwd: '/srv/shop' }];
  const put = (index: number, message: object) =>
    lines.push({ type: 'message', id: `p${lines.length}`, parentId: null, timestamp: at(index), message });
  list.forEach((one, index) => {
    if (one.kind === 'ask')
      put(index, { role: 'user', content: [{ type: 'text', text: one.text }], timestamp: index });
    else if (one.kind === 'answer')
      put(index, {
        role: 'assistant',
        content: [{ type: 'text', text: one.text }],
        provider: 'made',
        model: 'made-1',
      });
    else {
      const call = { type: 'toolCall', id: `c${index}`, name: 'bash', arguments: { command: one.command } };
      put(index, { role: 'assistant', content: [call], provider: 'made', model: 'made-1' });
      const content = [{ type: 'text', text: one.output }];
      put(index, {
        role: 'toolResult',
        toolCallId: `c${index}`,
        toolName: 'bash',
        content,
        isError: one.fails,
      });
    }
  });
  return lines;
}
