import { expect, test } from 'vitest';
import { knownTitle } from './hit-title.ts';

const hit = { sessionId: '4f2a91c0-1', snippet: '…round half **up**…' };

test('a fact is named by its words, and its kind says which fact it is', () => {
  const text = 'Prices are cents. We round half **up**.';
  expect(knownTitle({ ...hit, kind: 'fact', title: 'core_logic m_00ff00ff00', text })).toEqual({
    kind: 'Core logic',
    title: 'Prices are cents. We round half up.',
    snippet: '…round half up…',
  });
  const others = { ...hit, kind: 'fact', title: 'core logic of Kim, m_00ff00ff00', text };
  expect(knownTitle(others).kind).toBe('Core logic');
});

test('words that the name says already are not said again', () => {
  const text = 'Prices are `cents`.';
  const short = { ...hit, kind: 'keepit', title: 'keepit 0.80', text, snippet: text };
  expect(knownTitle(short)).toEqual({ kind: 'Keepit 0.80', title: 'Prices are cents.', snippet: '' });
});

test('an exchange is named by what it came to, other kinds by their titles', () => {
  const text = `${'Rounding is done. '.repeat(20)}\nround, half`;
  const found = knownTitle({ ...hit, kind: 'exchange', title: 'ex_00ff00ff00ff rejected', text });
  expect(found.kind).toBe('Exchange');
  expect(found.title).toMatch(/^Rounding is done\. .*…$/);
  expect(knownTitle({ ...hit, kind: 'concept', title: 'Rounding', text }).title).toBe('Rounding');
});
