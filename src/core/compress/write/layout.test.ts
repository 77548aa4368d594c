import { describe, expect, it } from 'vitest';
import { layout } from './layout.ts';
import type { VersionLine } from './version-line.ts';

const line = (form: VersionLine['form'], text: string, rest: Partial<VersionLine> = {}): VersionLine => ({
  form,
  role: form === 'ask' ? 'user' : 'assistant',
  text,
  ts: '2026-03-01T10:05:00Z',
  l1: [1],
  src: [0],
  exchange: 'ex_1',
  ...rest,
});

describe('the layout of a version', () => {
  it('reads as a conversation: asks as headings, answers, tools, what was changed', () => {
    const { markdown, lineOf } = layout([
      line('title', 'Login (session s, part 1)'),
      line('ask', 'Mend the login.\nIt is urgent.'),
      line('said', '# Plan\nLook first.'),
      line('tool', 'npm test → failed: Exit code 1', { role: 'tool', name: 'Bash' }),
      line('tool', 'src/a.ts', { role: 'tool', name: 'Edit' }),
      line('code', '-a\n+b', { role: 'tool', diff: true }),
      line('ask', 'Next?', { abandoned: true }),
      line('said', 'yes', { role: 'user' }),
      line('gap', '2 exchanges left out'),
    ]);
    expect(markdown).toBe(
      [
        '# Login (session s, part 1)',
        '',
        '## 2026-03-01 10:05 Mend the login.',
        '',
        'It is urgent.',
        '',
        '#### Plan',
        'Look first.',
        '',
        '- Bash: npm test → failed: Exit code 1',
        '- Edit: src/a.ts',
        '',
        '```diff',
        '-a',
        '+b',
        '```',
        '',
        '## 10:05 (abandoned) Next?',
        '',
        '**User:** yes',
        '',
        '*2 exchanges left out*',
        '',
      ].join('\n'),
    );
    expect(lineOf).toEqual([0, -1, 1, 1, 1, -1, 2, 2, -1, 3, 4, -1, 5, 5, 5, 5, -1, 6, -1, 7, -1, 8]);
  });

  it('closes what kept content leaves open, outside of it', () => {
    const shown = (text: string) => layout([line('kept', text, { weight: 0.8 })]).markdown;
    expect(shown('```sh\nls')).toBe('> kept 0.80\n\n```sh\nls\n```\n');
    expect(shown('~~~~\n```\n~~~')).toBe('> kept 0.80\n\n~~~~\n```\n~~~\n~~~~\n');
    expect(shown('```\nls\n```')).toBe('> kept 0.80\n\n```\nls\n```\n');
    expect(shown('<!-- x')).toBe('> kept 0.80\n\n<!-- x\n-->\n');
    expect(shown('## as it is\r\n')).toBe('> kept 0.80\n\n## as it is\r\n\n');
  });

  it('fences code with more ticks than it holds', () => {
    expect(layout([line('code', 'a\n```\nb')]).markdown).toBe('````\na\n```\nb\n````\n');
  });
});
