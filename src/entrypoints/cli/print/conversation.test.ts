import { expect, test } from 'vitest';
import type { L1Line } from '../../../core/model/l1.ts';
import { styleFor } from '../terminal/style.ts';
import { conversation, l1Lines, type ReadingFrame } from './conversation.ts';

const reading: ReadingFrame = {
  clock: { now: () => '', millis: () => 0, local: (iso) => iso.slice(0, 10) },
  style: styleFor(false),
  width: 40,
};
const ts = '2026-01-05T10:00:00Z';

test('a conversation is wrapped between words, its code is not, and what says nothing is left out', () => {
  const lines: L1Line[] = [
    { ts, role: 'user', text: 'Please look at the basket and tell me why it is empty.', src: 0 },
    { ts, role: 'assistant', text: ' \n', src: 1 },
    { ts, role: 'assistant', text: `So:\n\`\`\`\n${'x '.repeat(30)}\n\`\`\``, src: 2 },
  ];
  expect(conversation(lines, reading)).toEqual([
    'you  2026-01-05',
    'Please look at the basket and tell me',
    'why it is empty.',
    '',
    'assistant  2026-01-05',
    'So:',
    '```',
    'x '.repeat(30),
    '```',
    '',
  ]);
});

test('refined lines have their numbers, continue below indented, and say what was sent', () => {
  const lines: L1Line[] = [
    { ts, role: 'user', text: 'one\ntwo', queued: true, src: 0 },
    { ts, role: 'tool', name: 'Edit', target: 'a.ts', result: 'no such\nline', src: 1 },
    { ts, role: 'user', sent: 0, src: 2 },
  ];
  expect(l1Lines(lines, { ...reading, width: undefined })).toEqual([
    '1  2026-01-05  user',
    '    one',
    '    two',
    '2  2026-01-05  Edit  a.ts',
    '    -> no such',
    '    line',
    '3  2026-01-05  user',
    '    (sent now) one',
    '    two',
  ]);
  expect(l1Lines(lines, reading, 2, 2)[0]).toBe('2  2026-01-05  Edit  a.ts');
});
