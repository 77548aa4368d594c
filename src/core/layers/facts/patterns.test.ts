import { expect, test } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import { exchangeRecords } from '../exchanges/records.ts';
import { factExchanges } from './context.ts';
import type { Events } from './contradictions.ts';
import { patternsOf } from './patterns.ts';

const nothing: Events = { against: () => [], validated: () => '' };

test('of commands that passed again and again those that only show something are no fact', () => {
  const commands = ['bake test --all', 'bake --help', 'bake status', 'bake list'];
  const sessions = ['one', 'two', 'three'].map((sessionId, day) => {
    const ts = `2026-03-0${day + 1}T10:00:00Z`;
    const calls = commands.map(
      (target, at): L1Line => ({ ts, role: 'tool', name: 'Bash', target, src: 100 + at }),
    );
    const lines: L1Line[] = [{ ts, role: 'user', text: 'Bake all the bread of the shop', src: 0 }, ...calls];
    return { sessionId, exchanges: exchangeRecords(sessionId, lines) };
  });
  const found = patternsOf(factExchanges(sessions), [], nothing).map(({ content }) => content);
  expect(found).toEqual(['`bake test --all` works here (passed in 3 exchanges of 3 sessions).']);
});
