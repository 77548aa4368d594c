import { AGENT_FILES } from '../../../src/adapters/agents/agent-table.ts';
import type { Happening } from '../happening.ts';

/** The history that Aider keeps in a project. */
export function aiderHistory(list: Happening[], started = '2026-01-05 00:00:00'): string {
  const turns = list.map((one) => {
    if (one.kind === 'ask') return `#### ${one.text}  \n`;
    if (one.kind === 'answer') return `${one.text}\n\n> Tokens: 2.1k sent, 30 received.  \n`;
    return `> Running ${one.command}  \n`;
  });
  return `\n# aider chat started at ${started}\n\n> Aider v0.86.1  \n\n${turns.join('\n')}\n`;
}

/** As the archive keeps it. */
export function aider(list: Happening[]): object[] {
  const ask = { text: aiderHistory(list), path: '/srv/shop/.aider.chat.history.md', isEnded: true };
  return [...(AGENT_FILES.aider.document?.rows(ask) ?? [])];
}
