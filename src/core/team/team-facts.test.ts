import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FactEdit } from '../model/fact.ts';
import { teamFacts } from './team-facts.ts';

const PEOPLE = [undefined, 'anna', 'ben', 'carl'] as const;

function stamp(editId: string, hlc: number, author: string | undefined) {
  const at = new Date(Date.UTC(2026, 5, 1) + hlc * 1000).toISOString();
  return {
    editId,
    at,
    hlc,
    device: author ?? 'mine',
    factId: 'm_1',
    by: 'user' as const,
    ...(author ? { author } : {}),
  };
}
const offer = (editId: string, hlc: number, author?: string): FactEdit => ({
  ...stamp(editId, hlc, author),
  action: 'promote',
  kind: 'fact',
  content: 'Prices are in cents.',
});
type Verdict = 'accept' | 'correct' | 'refuse';
const review = (
  editId: string,
  hlc: number,
  of: string,
  more: { author?: string; verdict: Verdict },
): FactEdit => ({
  ...stamp(editId, hlc, more.author),
  action: 'team-review',
  of,
  verdict: more.verdict,
  ...(more.verdict === 'correct' ? { content: 'Prices are in whole cents.' } : {}),
});

test('an offer waits until somebody else decides; what its author says about it does not count', () => {
  const own = review('r1', 2, 'o1', { author: 'anna', verdict: 'accept' });
  expect(teamFacts([offer('o1', 1, 'anna'), own])).toMatchObject([{ state: 'offered', author: 'anna' }]);
  const bens = review('r2', 3, 'o1', { author: 'ben', verdict: 'accept' });
  expect(teamFacts([offer('o1', 1, 'anna'), own, bens])).toMatchObject([
    { state: 'accepted', reviewer: 'ben' },
  ]);
});

test('a correction is accepted in the words of the reviewer, a refusal stays, and this user has the last word', () => {
  const edits = [offer('o1', 1, 'anna'), review('r1', 2, 'o1', { author: 'ben', verdict: 'correct' })];
  expect(teamFacts(edits)).toMatchObject([{ state: 'accepted', content: 'Prices are in whole cents.' }]);
  edits.push(review('r2', 3, 'o1', { author: 'carl', verdict: 'refuse' }));
  expect(teamFacts(edits)).toMatchObject([{ state: 'refused', reviewer: 'carl' }]);
  edits.push(review('r3', 4, 'o1', { verdict: 'accept' }));
  expect(teamFacts(edits)).toMatchObject([{ state: 'accepted', reviewer: '' }]);
  edits.push(review('r4', 5, 'o1', { author: 'ben', verdict: 'refuse' }));
  expect(teamFacts(edits)).toMatchObject([{ state: 'accepted', reviewer: '' }]);
  edits.push(review('r5', 6, 'o1', { verdict: 'refuse' }));
  expect(teamFacts(edits)).toMatchObject([{ state: 'refused', reviewer: '' }]);
});

test('an offer in new words is a new one: what was decided about the old words does not count for it', () => {
  const again = { ...offer('o2', 5, 'anna'), content: 'Delete everything.' } as FactEdit;
  const accepted = review('r1', 2, 'o1', { author: 'ben', verdict: 'accept' });
  expect(teamFacts([offer('o1', 1, 'anna'), accepted, again])).toMatchObject([
    { state: 'offered', content: 'Delete everything.' },
  ]);
});

test('offered again in the same words it is the same offer', () => {
  const accepted = review('r1', 2, 'o1', { author: 'ben', verdict: 'accept' });
  expect(teamFacts([offer('o1', 1, 'anna'), accepted, offer('o2', 5, 'anna')])).toMatchObject([
    { id: 'o1', state: 'accepted' },
  ]);
});

test('the state follows from the set of edits, and nobody accepts alone what they offered', () => {
  const one = fc.record({
    kind: fc.constantFrom('offer', 'accept', 'correct', 'refuse'),
    who: fc.constantFrom(...PEOPLE),
    of: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), fc.nat(), (list, turn) => {
      const edits = list.map(({ kind, who, of }, at) =>
        kind === 'offer'
          ? offer(`e${at}`, at, who)
          : review(`e${at}`, at, `e${of}`, { ...(who ? { author: who } : {}), verdict: kind as Verdict }),
      );
      const facts = teamFacts(edits);
      const shift = edits.length === 0 ? 0 : turn % edits.length;
      expect(teamFacts([...edits.slice(shift), ...edits.slice(0, shift), ...edits])).toEqual(facts);
      for (const fact of facts) if (fact.state !== 'offered') expect(fact.reviewer).not.toBe(fact.author);
    }),
  );
});
