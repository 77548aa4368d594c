import { at, type Happening } from '../happening.ts';

const staged = (kind: string, row: object) => ({ staged: 'cursor-ide', kind, row });

/** What Cursor's editor keeps of a chat, as the archive keeps it. */
export function cursorIde(list: Happening[]): object[] {
  const bubbles = list.map((one, index) => {
    const bubble = { bubbleId: `b${index}`, createdAt: at(index) };
    if (one.kind !== 'run') return { ...bubble, type: one.kind === 'ask' ? 1 : 2, text: one.text };
    const result = JSON.stringify({ output: one.output, exitCodeV2: one.fails ? 1 : 0 });
    const call = {
      toolCallId: `c${index}`,
      name: 'run_terminal_cmd',
      rawArgs: JSON.stringify({ command: one.command }),
    };
    return { ...bubble, type: 2, text: '', toolFormerData: { ...call, status: 'completed', result } };
  });
  const session = { composerId: 'made', name: 'Made', createdAt: Date.parse(at(0)), cwd: '/srv/shop' };
  return [staged('session', session), ...bubbles.map((row) => staged('bubble', row))];
}
