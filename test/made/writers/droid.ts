import { at, type Happening } from '../happening.ts';

/** As Factory's Droid writes it. */
export function droid(list: Happening[]): object[] {
  const lines: object[] = [
    { type: 'session_start', id: 'made', title: 'Made', cwd: '/srv/shop', version: 2 },
  ];
  const put = (index: number, role: string, block: object) =>
    lines.push({
      type: 'message',
      id: `d${lines.length}`,
      timestamp: at(index),
      message: { role, content: [block] },
    });
  list.forEach((one, index) => {
    if (one.kind === 'ask') put(index, 'user', { type: 'text', text: one.text });
    else if (one.kind === 'answer') put(index, 'assistant', { type: 'text', text: one.text });
    else {
      put(index, 'assistant', {
        type: 'tool_use',
        id: `c${index}`,
        name: 'Execute',
        input: { command: one.command },
      });
      const content = one.fails
        ? `Error: Command failed (exit code: 1)\n${one.output}`
        : `out: ${one.output}`;
      put(index, 'user', { type: 'tool_result', tool_use_id: `c${index}`, content });
    }
  });
  return lines;
}
