import { AGENT_FILES } from '../../../src/adapters/agents/agent-table.ts';
import type { Happening } from '../happening.ts';

const HEAD = `╭──────────────────────────────╮
│ ✻ Welcome to Claude Code!    │
│                              │
│   cwd: /srv/shop             │
╰──────────────────────────────╯
`;

/** The console of a session, as \`/export\` of Claude Code writes it. */
export function consoleText(list: Happening[]): string {
  const blocks = list.map((one) => {
    if (one.kind === 'ask') return `> ${one.text}`;
    return one.kind === 'run' ? `⏺ Bash(${one.command})\n  ⎿  ${one.output}` : `⏺ ${one.text}`;
  });
  return `${HEAD}\n${blocks.join('\n\n')}\n`;
}

export function claudeExport(list: Happening[]): object[] {
  // What has no prompt and no answer is no session.
  const whole: Happening[] = [{ kind: 'ask', text: 'begin' }, ...list, { kind: 'answer', text: 'end' }];
  const rows = AGENT_FILES['claude-export'].document?.rows({
    text: consoleText(whole),
    path: '/srv/made.txt',
    isEnded: true,
  });
  return [...(rows ?? [])];
}
