import { expect, test } from 'vitest';
import { forReading } from './recalled-text.ts';

test('ids of sources are left out, quotes and headings stay word for word', () => {
  const text = [
    '# Memory of shop',
    '',
    'Quoted from earlier sessions.',
    '## Rules',
    'rule r_bc02e9c586, said by the user, valid on 2026-01-06',
    '> session 85f99978, ex_3d4b4e544eeb stays',
    'memory.md, session 85f99978, 2026-02-12 13:04',
    'session 4ddad80c, 2026-02-13 14:46, ex_3d4b4e544eeb',
  ].join('\n');
  expect(forReading(text).split('\n')).toEqual([
    'Quoted from earlier sessions.',
    '## Rules',
    'Rule, said by the user, valid on 2026-01-06',
    '> session 85f99978, ex_3d4b4e544eeb stays',
    'memory.md, 2026-02-12 13:04',
    '2026-02-13 14:46',
  ]);
});
