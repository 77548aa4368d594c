import type { Happening } from '../happening.ts';

/** As Cursor's agent writes it: no ids, no times, and nothing of what came of a call. */
export function cursor(list: Happening[]): object[] {
  return list.map((one) => {
    const text =
      one.kind === 'ask' ? `<user_query>\n${one.text}\n</user_query>` : one.kind === 'answer' ? one.text : '';
    const content =
      one.kind === 'run'
        ? { type: 'tool_use', name: 'Shell', input: { command: one.command } }
        : { type: 'text', text };
    return { role: one.kind === 'ask' ? 'user' : 'assistant', message: { content: [content] } };
  });
}
