import fc from 'fast-check';
import { expect, test } from 'vitest';
import { negates, wishOf } from '../layers/polarity.ts';
import { type MasterInput, masterText } from './master-text.ts';
import type { Page, Point } from './page.ts';
import { NOWHERE, type ProjectNow } from './project-now.ts';
import { carriedItems } from './read-master.ts';
import { synthesise } from './synthesis.ts';

const page = (session: string, day: string, points: Point[], rest: Partial<Page> = {}): Page => ({
  session,
  title: `Talk ${session}`,
  context: '',
  points,
  files: [],
  commands: [],
  first: `${day}T09:00:00Z`,
  last: `${day}T10:00:00Z`,
  ...rest,
});
const isAgainst = (a: string, b: string) => negates(wishOf(a), wishOf(b));
const synthesis = (pages: Page[], carried: ReturnType<typeof carriedItems> = []) =>
  synthesise({ pages, carried, themes: [], docs: [], now: NOWHERE, isAgainst });
const words = (text: string) => Math.ceil(text.length / 4);
const master = (pages: Page[], more: Partial<MasterInput> = {}) =>
  masterText({
    synthesis: synthesis(pages),
    now: NOWHERE,
    docs: [],
    ingredients: pages.map(({ session }) => ({ name: session, hash: session })),
    at: '2026-03-01T00:00:00Z',
    day: '2026-03-01',
    sections: 'fixed',
    budget: 4000,
    count: words,
    short: (it) => it,
    ...more,
  });

const REDIS = page('s1', '2026-01-05', [
  { kind: 'decision', text: 'Keep login tokens in the memcached token cache.', by: 'user' },
]);
const SQLITE = page('s2', '2026-01-09', [
  {
    kind: 'decision',
    text: 'Use Redis for login tokens instead of the memcached token cache, since it persists.',
    by: 'user',
  },
  { kind: 'open', text: 'The eviction test of the login cache still fails at night.' },
]);
const LATER = page('s3', '2026-02-01', [
  { kind: 'done', text: 'fix: the eviction test of the login cache passes at night' },
]);

test('a decision that was changed later is shown as changed, and only what stands is a decision', () => {
  const { text } = master([LATER, SQLITE, REDIS]);
  const [, decisions = '', evolution = ''] =
    /## Key Decisions\n([\s\S]*?)## Learnings[\s\S]*?## Evolution & Changes\n([\s\S]*?)## /.exec(text) ?? [];
  expect(decisions).toContain('- Use Redis for login tokens');
  expect(decisions).not.toMatch(/^- Keep login tokens/m);
  expect(evolution).toContain(
    'First: Keep login tokens in the memcached token cache (2026-01-05 s1); now: Use Redis',
  );
});

test('what was answered later is no question any more', () => {
  expect(master([REDIS, SQLITE]).text).toContain('The eviction test');
  const { text } = master([REDIS, SQLITE, LATER]);
  expect(text.split('## Active Questions')[1]).not.toContain('The eviction test');
});

test('the same said in several conversations stands once, with all of them', () => {
  const said: Point = { kind: 'learning', text: 'The staging port is 8081 and never 8080.' };
  const { text } = master([page('s1', '2026-01-01', [said]), page('s2', '2026-01-02', [said])]);
  expect(text.match(/staging port/g)).toHaveLength(1);
  expect(text).toContain('(2026-01-01 s1; 2026-01-02 s2)');
});

test('every line of it names its source', () => {
  const { text } = master([REDIS, SQLITE, LATER]);
  const bullets = text.split('\n').filter((it) => it.startsWith('- '));
  expect(bullets.length).toBeGreaterThan(3);
  for (const bullet of bullets)
    expect(bullet).toMatch(/\((?:[^()]*s[123]|git|checkout|docs|summaries)\)(?: \[.*\])?$/);
});

test('what the project says now stands beside what was said then', () => {
  const now: ProjectNow = {
    ...NOWHERE,
    here: true,
    files: new Set(['lib/cache.ts', 'src/app.ts']),
    commands: new Set(['npm run build']),
    runners: new Set(['npm']),
  };
  const pages = [
    page(
      's1',
      '2026-01-05',
      [
        {
          kind: 'learning',
          text: '`src/cache.ts` holds the token cache; run `npm run bench` after changes.',
        },
        { kind: 'learning', text: 'The old parser lives in `src/gone/parser.ts` for the importer.' },
      ],
      { files: ['src/app.ts', 'src/gone/parser.ts'], commands: ['npm run build', 'npm run bench'] },
    ),
  ];
  const { text } = master(pages, {
    now,
    synthesis: synthesise({ pages, carried: [], themes: [], docs: [], now, isAgainst }),
  });
  expect(text).toContain('[`src/cache.ts` is now `lib/cache.ts`; `npm run bench` is not defined any more]');
  expect(text).toContain('[`src/gone/parser.ts` is no longer there]');
  expect(text).toMatch(/Files most worked on.*`src\/app\.ts` 1\. 1 others/);
  expect(text).toMatch(/Commands that worked.*`npm run build` 1\. /);
});

test('within its budget for any number of summaries, and the same whatever their order', () => {
  const point = fc.record({
    kind: fc.constantFrom('decision', 'learning', 'change', 'open', 'done', 'rule'),
    text: fc.lorem({ maxCount: 12 }),
  });
  const pages = fc
    .array(fc.array(point, { maxLength: 6 }), { maxLength: 30 })
    .map((all) =>
      all.map((points, index) =>
        page(`s${index}`, `2026-01-${String((index % 28) + 1).padStart(2, '0')}`, points as Point[]),
      ),
    );
  fc.assert(
    fc.property(
      pages,
      fc.integer({ min: 900, max: 3000 }),
      fc.constantFrom('fixed', 'content'),
      (all, budget, sections) => {
        const made = master(all, { budget, sections: sections as 'fixed' | 'content' });
        expect(words(made.text)).toBeLessThanOrEqual(budget);
        expect(
          master([...all].reverse(), {
            budget,
            sections: sections as 'fixed' | 'content',
            ingredients: all.map(({ session }) => ({ name: session, hash: session })),
          }).text,
        ).toBe(made.text);
      },
    ),
    { numRuns: 40 },
  );
});

test('what came from summaries that are gone carries over, with its sources', () => {
  const before = master([REDIS, SQLITE]).text;
  const carried = carriedItems(before, (session) => session === 's2');
  expect(carried.map(({ text, sources }) => [text, sources[0]?.session])).toEqual([]);
  const alone = master([
    page('s9', '2026-01-05', [{ kind: 'rule', text: 'Amounts are always whole cents.' }]),
  ]).text;
  const kept = carriedItems(alone, () => false);
  expect(kept).toMatchObject([
    {
      kind: 'decision',
      text: 'Amounts are always whole cents.',
      sources: [{ session: 's9', ts: '2026-01-05' }],
    },
  ]);
});
