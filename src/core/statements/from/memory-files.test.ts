import { expect, test } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import { statementsOf } from '../statements-of.ts';

type Part = Partial<L1Line> & Pick<L1Line, 'role'>;
const written = (diff: string) => {
  const parts: Part[] = [
    { role: 'user', text: 'We drop the old package of the shop. Note it in the decisions.' },
    { role: 'tool', name: 'Edit', target: 'docs/adr/packages.md', diff },
    { role: 'assistant', text: 'The decision is written down.' },
  ];
  const lines = parts.map((part, at) => ({ ts: '2026-03-01T10:00:00Z', src: at * 100, ...part }));
  return statementsOf(lines).find(({ foundBy }) => foundBy === 'memory-file')?.text ?? '';
};

test('a sentence that continues in the next line stays whole, and separate short lines are left out', () => {
  const wrapped = written(
    '+`@shop/old` has been deprecated and removed from\n+this repository. `@shop/sdk` is the only package of the release.',
  );
  expect(wrapped).toContain('removed from this repository. `@shop/sdk` is the only package');
  expect(written('+Packages\n+`@shop/sdk` is the only package of the release.')).not.toContain('Packages');
});
