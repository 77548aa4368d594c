import { at, type Happening } from '../happening.ts';

/** As Kimi Code writes it. */
export function kimi(list: Happening[]): object[] {
  const lines: object[] = [{ type: 'metadata', protocol_version: '1.4', created_at: Date.parse(at(0)) }];
  const put = (index: number, line: object) => lines.push({ ...line, time: Date.parse(at(index)) });
  const event = (index: number, it: object) =>
    put(index, { type: 'context.append_loop_event', event: { turnId: '0', step: 1, stepUuid: 's', ...it } });
  list.forEach((one, index) => {
    if (one.kind === 'ask') {
      const content = [{ type: 'text', text: one.text }];
      put(index, { type: 'turn.prompt', input: content, origin: { kind: 'user' } });
      const message = { role: 'user', content, toolCalls: [], origin: { kind: 'user' } };
      put(index, { type: 'context.append_message', message });
    } else if (one.kind === 'answer')
      event(index, { type: 'content.part', uuid: `p${index}`, part: { type: 'text', text: one.text } });
    else {
      const call = { uuid: `Bash_${index}`, toolCallId: `Bash_${index}` };
      event(index, { type: 'tool.call', ...call, name: 'Bash', args: { command: one.command } });
      const result = { output: one.output, ...(one.fails ? { isError: true } : {}) };
      event(index, { type: 'tool.result', parentUuid: call.uuid, toolCallId: call.toolCallId, result });
    }
  });
  return lines;
}
