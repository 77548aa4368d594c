import { describe, expect, it } from 'vitest';
import { isMemoryCall } from './own-tools.ts';

const isMemoryCommand = (command: string) => isMemoryCall('Bash', { command });

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

describe('another call', () => {
  it.each([
    ['mcp__keepsake__recall', {}],
    ['mcp__plugin_keepsake_keepsake__search', { query: 'x' }],
    ['Read', { file_path: '/home/ada/.claude-memory/projects/-srv-shop/memory/memory.md' }],
    ['Grep', { path: '~/.claude-memory', pattern: 'x' }],
    ['Task', { subagent_type: 'keepsake:summarize' }],
  ])('%s %j only asks memory', (name, input) => expect(isMemoryCall(name, input)).toBe(true));

  it.each([
    ['Read', { file_path: '/srv/shop/.claude-memory.md' }],
    ['Read', { file_path: '/srv/shop/src/a.ts' }],
    ['Write', { file_path: '/home/ada/.claude-memory/x.md' }],
    ['Task', { subagent_type: 'reviewer', prompt: 'look at keepsake' }],
    ['mcp__other__keepsake__x', {}],
    ['Read', { file_path: 7 }],
  ])('%s %j does other work', (name, input) => expect(isMemoryCall(name, input)).toBe(false));
});
