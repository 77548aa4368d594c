import { describe, expect, it } from 'vitest';
import { isMemoryCommand } from './own-tools.ts';

describe('a shell command', () => {
  it.each([
    'keepsake recall "the parser; and the lexer"',
    'keepsake search a && keepsake search b | head -5',
    'cd /srv/shop && npx -y keepsake@latest facts',
    "CLAUDE_MEMORY_DIR=/x ~/tools/bin/keepsake search 'it | that' --json 2>&1 | jq .",
    'keepsake sessions 2>/dev/null || keepsake status',
    'keepsake',
  ])('%s only asks memory', (command) => expect(isMemoryCommand(command)).toBe(true));

  it.each([
    'npm test && keepsake sync',
    'cat keepsake.md',
    'cd keepsake',
    'grep -r keepsake src',
    'git commit -m "keepsake recall"',
    'keepsake-server start',
    'npx vitest run keepsake',
    '',
  ])('%s does other work', (command) => expect(isMemoryCommand(command)).toBe(false));

  it('of any length takes time by its length only', () => {
    for (const piece of ['keepsake "', "'", '\\"', 'A=b ', 'npx -', './', '&&', 'npx   '])
      isMemoryCommand(`keepsake${piece.repeat(50_000)}`);
    isMemoryCommand(`${'A=b '.repeat(50_000)}keepsake`);
    isMemoryCommand(`${'npx '.repeat(50_000)}keepsake`);
  });
});
