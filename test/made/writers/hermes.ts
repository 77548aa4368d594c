import { AGENT_FILES } from '../../../src/adapters/agents/agent-table.ts';
import { at, type Happening } from '../happening.ts';

/** The document that Hermes writes. */
export function hermesDocument(list: Happening[]): string {
  const messages: object[] = [];
  list.forEach((one, index) => {
    if (one.kind === 'ask') messages.push({ role: 'user', content: one.text });
    else if (one.kind === 'answer') messages.push({ role: 'assistant', content: one.text });
    else {
      const call = { name: 'terminal', arguments: JSON.stringify({ command: one.command }) };
      messages.push({
        role: 'assistant',
        content: '',
        tool_calls: [{ id: `c${index}`, type: 'function', function: call }],
      });
      const content = JSON.stringify({ output: one.output, exit_code: one.fails ? 1 : 0 });
      messages.push({ role: 'tool', content, tool_call_id: `c${index}` });
    }
  });
  const head = {
    session_id: 'made',
    platform: 'cli',
    session_start: at(0),
    cwd: '/srv/shop',
    model: 'made-1',
  };
  return JSON.stringify({ ...head, messages });
}

/** As the archive keeps it. */
export function hermes(list: Happening[]): object[] {
  const ask = { text: hermesDocument(list), path: '/x.json', isEnded: true };
  return [...(AGENT_FILES.hermes.document?.rows(ask) ?? [])];
}
