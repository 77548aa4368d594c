import { AGENT_FILES } from '../../../src/adapters/agents/agent-table.ts';
import { at, type Happening } from '../happening.ts';

/** The document that Amp keeps of a thread. */
export function threadDocument(list: Happening[]): string {
  const messages: object[] = [];
  const put = (index: number, role: string, content: object) =>
    messages.push({
      role,
      messageId: messages.length,
      content: [content],
      meta: { sentAt: Date.parse(at(index)) },
    });
  list.forEach((one, index) => {
    if (one.kind === 'ask') put(index, 'user', { type: 'text', text: one.text });
    else if (one.kind === 'answer') put(index, 'assistant', { type: 'text', text: one.text });
    else {
      const call = { type: 'tool_use', id: `c${index}`, name: 'Bash', input: { cmd: one.command } };
      put(index, 'assistant', call);
      const run = { status: 'done', result: { output: one.output, exitCode: one.fails ? 1 : 0 } };
      put(index, 'user', { type: 'tool_result', toolUseID: `c${index}`, run });
    }
  });
  const env = { initial: { trees: [{ uri: 'file:///srv/shop' }] } };
  return JSON.stringify({ v: 1, id: 'T-made', created: Date.parse(at(0)), env, messages });
}

/** As the archive keeps it. */
export function amp(list: Happening[]): object[] {
  const ask = { text: threadDocument(list), path: '/T-made.json', isEnded: true };
  return [...(AGENT_FILES.amp.document?.rows(ask) ?? [])];
}
