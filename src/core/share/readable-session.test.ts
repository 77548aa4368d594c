import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SharedSession, sanitized, sharedHtml, sharedMarkdown } from './readable-session.ts';

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
const session = (text: string, output?: string): SharedSession => ({
  title: 'A title',
  agent: 'Claude Code',
  day: '2026-01-05',
  turns: [
    { who: 'user', ts: '', text },
    { who: 'tool', ts: '', text: 'Bash: npm test', ...(output === undefined ? {} : { output }) },
  ],
});
const places = { folders: ['/home/ada/work/shop'], home: '/home/ada' };

test('secrets are masked and paths name neither the user nor the machine', () => {
  const {
    session: safe,
    masked,
    paths,
  } = sanitized(
    session(
      `Use ${TOKEN} in /home/ada/work/shop/src/a.ts, /home/ada/notes and /Users/me/x`,
      'in C:\\Users\\kim\\y',
    ),
    places,
  );
  expect(safe.turns[0]!.text).toMatch(/^Use \[redacted:[^\]]+\] in src\/a\.ts, ~\/notes and ~\/x$/);
  expect(safe.turns[1]!.output).toBe('in ~\\y');
  expect([masked, paths]).toEqual([1, 4]);
});

test('nothing of a text is markup in the HTML file', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const html = sharedHtml(session(`<script>${text}</script>`, text));
      const [, body = ''] = html.split('<body>');
      expect(
        body
          .match(/<[^>]*>/g)!
          .every((tag) => /^<\/?(?:h1|h2|p|div class="(?:user|tool)"|div|pre|body|html)>$/.test(tag)),
      ).toBe(true);
    }),
  );
});

test('a fence is longer than any inside', () => {
  const markdown = sharedMarkdown(session('Hi', 'a\n````\nb'));
  expect(markdown).toContain('`````\na\n````\nb\n`````');
});
