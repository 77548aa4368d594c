import { at, type Happening } from '../happening.ts';

const staged = (kind: string, row: object) => ({ staged: 'claude-mem', kind, row });

/** What claude-mem keeps of a session: the prompts, and what its model noticed. */
export function claudeMem(list: Happening[]): object[] {
  const session = {
    id: 1,
    content_session_id: 'made',
    session: 'mem_made',
    project: 'shop',
    cwd: '/srv/shop',
  };
  return [
    staged('session', session),
    ...list.map((one, index) => {
      const time = { id: index, created_at_epoch: Date.parse(at(index)) };
      if (one.kind === 'ask')
        return staged('prompt', { ...time, prompt_number: index, prompt_text: one.text });
      if (one.kind === 'answer') return staged('summary', { ...time, completed: one.text });
      return staged('observation', { ...time, type: 'change', title: one.command, narrative: one.output });
    }),
  ];
}
