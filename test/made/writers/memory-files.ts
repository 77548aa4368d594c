import { at, type Happening } from '../happening.ts';

const staged = (kind: string, row: object) => ({ staged: 'memory-files', kind, row });

/** A file in which an agent remembers: all of it is the agent's, whatever it quotes. */
export function memoryFiles(list: Happening[]): object[] {
  return [
    staged('session', { id: 'memory_made', title: 'claude: memory/MEMORY.md' }),
    ...list.map((one, index) => {
      const text = one.kind === 'run' ? one.command : one.text;
      return staged('section', { file: 'claude/MEMORY.md', ts: at(index), text: `## ${index}\n${text}` });
    }),
  ];
}
