import type { Happening } from '../happening.ts';

/** As Grok's command writes it. */
export function grok(list: Happening[]): object[] {
  const lines: object[] = [{ type: 'system', content: 'You are an agent.' }];
  list.forEach((one, index) => {
    if (one.kind === 'ask')
      lines.push({ type: 'user', content: [{ type: 'text', text: one.text }], prompt_index: index });
    else if (one.kind === 'answer')
      lines.push({ type: 'assistant', content: one.text, tool_calls: [], model_id: 'made-1' });
    else {
      const call = {
        id: `c${index}`,
        name: 'run_terminal_cmd',
        arguments: JSON.stringify({ command: one.command }),
      };
      lines.push({ type: 'assistant', content: '', tool_calls: [call], model_id: 'made-1' });
      const content = `exit: ${one.fails ? 3 : 0}\n${one.output}`;
      lines.push({ type: 'tool_result', tool_call_id: `c${index}`, content });
    }
  });
  return lines;
}
