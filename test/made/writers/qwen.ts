import { at, type Happening } from '../happening.ts';

/** As Qwen Code writes it. */
export function qwen(list: Happening[]): object[] {
  const lines: object[] = [];
  const put = (index: number, type: string, more: object) =>
    lines.push({
      uuid: `u${lines.length}`,
      parentUuid: null,
      sessionId: 'made',
      timestamp: at(index),
      type,
      cwd: '/srv/shop',
      version: '0.15.10',
      ...more,
    });
  list.forEach((one, index) => {
    if (one.kind === 'ask') put(index, 'user', { message: { role: 'user', parts: [{ text: one.text }] } });
    else if (one.kind === 'answer')
      put(index, 'assistant', { message: { role: 'model', parts: [{ text: one.text }] } });
    else {
      const functionCall = { id: `c${index}`, name: 'run_shell_command', args: { command: one.command } };
      put(index, 'assistant', { message: { role: 'model', parts: [{ functionCall }] } });
      const output = `Command: x\nOutput: ${one.output}\nError: (none)\nExit Code: ${one.fails ? 1 : 0}\nSignal: 0`;
      const functionResponse = { id: `c${index}`, name: 'run_shell_command', response: { output } };
      put(index, 'tool_result', { message: { role: 'user', parts: [{ functionResponse }] } });
    }
    put(index, 'system', { subtype: 'ui_telemetry', systemPayload: { uiEvent: {} } });
  });
  return lines;
}
