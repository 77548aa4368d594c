import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConceptEdit } from '../../model/concept.ts';
import type { ExchangeRecord } from '../../model/exchange.ts';
import { termsOf } from '../../text/terms.ts';
import { keywordKey } from '../keywords.ts';
import { type ConceptBase, EPOCHS } from './base.ts';
import { conceptsFrom, conceptsOf, type SessionExchanges } from './concepts.ts';

const TOPICS = {
  basket: { words: ['basket', 'price', 'discount', 'checkout'], files: ['src/basket.ts', 'src/price.ts'] },
  login: { words: ['login', 'password', 'token', 'cookie'], files: ['src/login.ts'] },
  search: { words: ['search', 'index', 'ranking', 'query'], files: ['src/search.ts'] },
};
type Topic = keyof typeof TOPICS;

function exchange(id: string, topic: Topic, pick: number, ts: string): ExchangeRecord {
  const { words, files } = TOPICS[topic];
  const some = words.filter((_, place) => place === 0 || (pick >> place) % 2 === 1);
  return {
    id: `ex_${id}`,
    ts,
    summary: `Changed the ${some.join(' and the ')}.`,
    details: '',
    files: [...files, 'src/main.ts'],
    keywords: some,
    l1_range: [1, 2],
    outcome: 'done',
    commands: [],
    ask: `Please change the ${some.join(' with the ')}.`,
    tools: 1,
    errors: 0,
    src: 0,
    said: [],
    failed: [],
    fixed: [],
    design: [],
  };
}

const topics = Object.keys(TOPICS) as Topic[];
const madeSessions = fc
  .array(
    fc.array(fc.tuple(fc.constantFrom(...topics), fc.nat(15), fc.nat(59)), { minLength: 1, maxLength: 6 }),
    { minLength: 1, maxLength: 6 },
  )
  .map((sessions): SessionExchanges[] =>
    sessions.map((made, session) => ({
      sessionId: `s${session}`,
      exchanges: made.map(([topic, pick, second], place) =>
        exchange(
          `${session}${place}`,
          topic,
          pick,
          `2026-01-0${1 + (session % 9)}T10:00:${String(second).padStart(2, '0')}Z`,
        ),
      ),
    })),
  );

const work = (): SessionExchanges[] => [
  {
    sessionId: 'a',
    exchanges: [
      exchange('a1', 'basket', 15, '2026-01-01T10:00:00Z'),
      exchange('a2', 'basket', 7, '2026-01-01T11:00:00Z'),
      exchange('a3', 'login', 15, '2026-01-01T12:00:00Z'),
    ],
  },
  {
    sessionId: 'b',
    exchanges: [
      exchange('b1', 'login', 7, '2026-01-02T10:00:00Z'),
      exchange('b2', 'basket', 11, '2026-01-03T11:00:00Z'),
      exchange('b3', 'search', 15, '2026-01-03T12:00:00Z'),
    ],
  },
];
const groups = (edits: ConceptEdit[] = [], sessions = work()) =>
  conceptsOf(sessions, edits)
    .map(({ exchanges }) => exchanges.join(' '))
    .sort();
const at = '2026-02-01T00:00:00Z';

describe('concepts', () => {
  it('hold what is about the same, with name, files, keywords and the day of the last change', () => {
    const concepts = conceptsOf(work());
    expect(groups()).toEqual(['ex_a1 ex_a2 ex_b2', 'ex_a3 ex_b1', 'ex_b3']);
    expect(concepts[0]).toMatchObject({ updated: '2026-01-03', sessions: ['a', 'b'] });
    expect(concepts[0]?.name.toLowerCase()).toContain('basket');
    expect(concepts[0]?.files).toEqual(['src/basket.ts', 'src/main.ts', 'src/price.ts']);
  });

  it('do not depend on the order in which sessions came in', () => {
    fc.assert(
      fc.property(madeSessions, fc.infiniteStream(fc.nat()), (sessions, random) => {
        const shuffled = sessions
          .map((session) => ({ session, key: random.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ session }) => session);
        expect(conceptsOf(shuffled)).toEqual(conceptsOf(sessions));
      }),
      { numRuns: 60 },
    );
  });

  it('hold every exchange once; names are short, unique, and hold a keyword of more than half', () => {
    const ways = fc.constantFrom(EPOCHS, { whole: 3, growth: 1.5 });
    fc.assert(
      fc.property(madeSessions, ways, (sessions, epochs) => {
        const { concepts } = conceptsFrom(sessions, [], undefined, epochs);
        const all = sessions.flatMap(({ exchanges }) => exchanges);
        expect(concepts.flatMap((it) => it.exchanges).sort()).toEqual(all.map(({ id }) => id).sort());
        expect(new Set(concepts.map(({ name }) => name)).size).toBe(concepts.length);
        const keywordsOf = new Map(all.map(({ id, keywords }) => [id, new Set(keywords.map(keywordKey))]));
        for (const { name, exchanges } of concepts) {
          expect(name.length).toBeLessThan(60);
          const shared = termsOf(name).some(
            (term) => exchanges.filter((id) => keywordsOf.get(id)?.has(term)).length * 2 > exchanges.length,
          );
          expect(shared, name).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are the same with what was kept of an earlier time as without, however the exchanges came in', () => {
    const epochs = { whole: 3, growth: 1.3 };
    fc.assert(
      fc.property(
        madeSessions,
        fc.array(fc.tuple(fc.nat(5), fc.nat(6)), { maxLength: 5 }),
        fc.constantFrom(...topics),
        (sessions, steps, topic) => {
          const edits: ConceptEdit[] = [
            { editId: '1', at, action: 'rename', exchange: sessions[0]!.exchanges[0]!.id, name: topic },
          ];
          let known: ConceptBase | undefined;
          for (const [session, most] of [...steps, [-1, 99]] as [number, number][]) {
            const some = sessions.map((it, place) =>
              place === session % sessions.length ? { ...it, exchanges: it.exchanges.slice(0, most) } : it,
            );
            const made = conceptsFrom(some, edits, known, epochs);
            expect(made.concepts).toEqual(conceptsFrom(some, edits, undefined, epochs).concepts);
            // As it comes back from the disk.
            known = made.base && JSON.parse(JSON.stringify(made.base));
            expect(new Set(made.concepts.map(({ name }) => name.toLowerCase())).size).toBe(
              made.concepts.length,
            );
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('need no new grouping for one more exchange', () => {
    const many = (count: number): SessionExchanges[] => [
      {
        sessionId: 'a',
        exchanges: Array.from({ length: count }, (_, n) =>
          exchange(`a${n}`, topics[n % 3]!, n % 16, new Date(n * 60_000).toISOString()),
        ),
      },
    ];
    const { base } = conceptsFrom(many(600), []);
    const next = conceptsFrom(many(601), [], base);
    expect(next.base).toBe(base);
    expect(next.concepts).toEqual(conceptsOf(many(601)));
    expect(next.concepts.reduce((sum, { exchanges }) => sum + exchanges.length, 0)).toBe(601);
    // Grown by an eighth, all of it is looked at together.
    expect(conceptsFrom(many(700), [], base).base).not.toBe(base);
    expect(conceptsFrom(many(400), []).base).toBeUndefined();
  });

  it('are named by words that occur together, not by a list of keywords', () => {
    const described = (id: string, text: string, keywords: string[]) => ({
      ...exchange(id, 'basket', 15, `2026-01-01T10:00:0${id.at(-1)}Z`),
      ask: text,
      summary: text,
      details: '',
      keywords,
    });
    const exchanges = [
      described('a1', 'The checkout fails: exit status of the payment gateway.', [
        'exit',
        'gateway',
        'fails',
      ]),
      described('a2', 'Fixed a timeout of the payment gateway.', ['gateway', 'timeout', 'fails']),
      described('a3', 'Now retry the payment gateway twice.', ['gateway', 'retry', 'fails']),
    ];
    const names = conceptsOf([{ sessionId: 'a', exchanges }]).map(({ name }) => name.toLowerCase());
    expect(names).toEqual(['payment gateway']);
  });

  it('stay merged, split and named as the user wants it, also when more comes in', () => {
    const merge: ConceptEdit = {
      editId: '1',
      at,
      action: 'merge',
      exchanges: ['ex_a1', 'ex_a2', 'ex_b2', 'ex_b3'],
      name: 'Shop',
    };
    expect(groups([merge])).toEqual(['ex_a1 ex_a2 ex_b2 ex_b3', 'ex_a3 ex_b1']);
    const split: ConceptEdit = { editId: '2', at, action: 'split', exchanges: ['ex_b2'] };
    expect(groups([split])).toEqual(['ex_a1 ex_a2', 'ex_a3 ex_b1', 'ex_b2', 'ex_b3']);
    const rename: ConceptEdit = { editId: '3', at, action: 'rename', exchange: 'ex_a3', name: 'Signing in' };
    const later = [
      ...work(),
      { sessionId: 'c', exchanges: [exchange('c1', 'login', 5, '2026-01-05T10:00:00Z')] },
    ];
    const grown = conceptsOf(later, [merge, rename]);
    expect(grown.find(({ name }) => name === 'Signing in')?.exchanges).toEqual(['ex_a3', 'ex_b1', 'ex_c1']);
    expect(grown.find(({ name }) => name === 'Shop')).toMatchObject({ edited: true });
  });

  it('are none for exchanges that say nothing', () => {
    const silent = { ...exchange('x', 'basket', 1, at), keywords: [] };
    expect(conceptsOf([{ sessionId: 's', exchanges: [silent] }])).toEqual([]);
  });
});
