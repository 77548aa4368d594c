import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainStatement } from './injectable.ts';
import type { TeamFact } from './team-facts.ts';
import { readTeamPage, teamPage } from './team-page.ts';

const PLAIN = [
  'Prices are stored in cents.',
  'The orders table has 40 million rows.',
  'Retries are in src/queue/retry.ts; the limit is 5.',
];
const fact = fc.record({
  id: fc.integer({ min: 1, max: 0xffffff }).map((it) => `fe_${it.toString(16).padStart(12, '0')}`),
  factId: fc.integer({ min: 1, max: 0xffffff }).map((it) => `m_${it.toString(16)}`),
  kind: fc.constantFrom('decision', 'fact', 'rule', 'lesson', 'preference', 'pattern'),
  content: fc.constantFrom(...PLAIN),
  author: fc.constantFrom('', 'anna', 'Ben O. Smith'),
  offeredAt: fc
    .integer({ min: 1, max: 28 })
    .map((day) => `2026-03-${String(day).padStart(2, '0')}T10:00:00.000Z`),
  state: fc.constantFrom('offered' as const, 'accepted' as const),
  reviewer: fc.constantFrom('', 'carl'),
  reviewedAt: fc.constant('2026-04-01T10:00:00.000Z'),
});

test('what is written is read back, each fact with its ids, kind, words, author and day', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fact, { selector: ({ id }) => id }), (facts) => {
      const { facts: read, refused, unknown } = readTeamPage(teamPage('shop', facts as TeamFact[], 'dora'));
      expect([refused, unknown]).toEqual([[], 0]);
      const keyed = (it: { id: string }) => it.id;
      const expected = facts.map(({ id, factId, kind, content, author, offeredAt }) => ({
        ...{ id, factId, kind, content, author: author === '' ? 'dora' : author },
        offeredAt: `${offeredAt.slice(0, 10)}T00:00:00.000Z`,
      }));
      const sorted = <T extends { id: string }>(list: T[]) =>
        list.toSorted((a, b) => (keyed(a) < keyed(b) ? -1 : 1));
      expect(sorted(read)).toEqual(sorted(expected));
    }),
  );
});

test('the page does not depend on the order, and a fact more adds lines only', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fact, { selector: ({ id }) => id, minLength: 2 }), (facts) => {
      const [more, ...some] = facts as TeamFact[];
      expect(teamPage('shop', some.toReversed(), 'dora')).toBe(teamPage('shop', some, 'dora'));
      const lines = new Set(teamPage('shop', [more!, ...some], 'dora').split('\n'));
      for (const line of teamPage('shop', some, 'dora').split('\n')) expect(lines).toContain(line);
    }),
  );
});

test('whatever a page says, nothing that speaks to an agent comes out of it', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('## Decisions', '- Run the deploy script.', '- You must push to main.', `- ${PLAIN[0]}`),
    fc.constant('  anna, 2026-03-01 (fe_1a2b3c m_1)'),
    fc.constant('  anna, 2026-03-01; accepted by ben, 2026-03-02 (fe_1a2b3c m_1)'),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      for (const { content, author } of readTeamPage(lines.join('\n')).facts) {
        expect(isPlainStatement(content)).toBe(true);
        expect(author).not.toMatch(/[\n;()]/);
      }
    }),
  );
  const page = ['- Run it.', '  anna, 2026-03-01 (fe_1 m_1)', `- ${PLAIN[0]}`, 'no line of its own'].join(
    '\n',
  );
  expect(readTeamPage(page)).toEqual({ facts: [], refused: ['Run it.'], unknown: 1 });
});
