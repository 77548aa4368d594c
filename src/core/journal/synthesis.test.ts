import fc from 'fast-check';
import { expect, test } from 'vitest';
import { negates, wishOf } from '../layers/facts/polarity.ts';
import { type MasterInput, masterText } from './master-text.ts';
import type { JournalPage, Point } from './page.ts';
import { NOWHERE, type ProjectNow } from './project-now.ts';
import { carriedItems } from './read-master.ts';
import { synthesize } from './synthesis.ts';

const page = (
  session: string,
  day: string,
  points: Point[],
  rest: Partial<JournalPage> = {},
): JournalPage => ({
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
const synthesis = (pages: JournalPage[], carried: ReturnType<typeof carriedItems> = []) =>
  synthesize({ pages, carried, themes: [], docs: [], now: NOWHERE, isAgainst });
const words = (text: string) => Math.ceil(text.length / 4);
const master = (pages: JournalPage[], more: Partial<MasterInput> = {}) =>
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

test('a decision that was changed later is shown as changed, and only the current one is a decision', () => {
  const { text } = master([LATER, SQLITE, REDIS]);
  const [, decisions = '', evolution = ''] =
    /## Key Decisions\n([\s\S]*?)## Learnings[\s\S]*?## Evolution & Changes\n([\s\S]*?)## /.exec(text) ?? [];
  expect(decisions).toContain('- Use Redis for login tokens');
  expect(decisions).not.toMatch(/^- Keep login tokens/m);
  expect(evolution).toContain(
    'First: Keep login tokens in the memcached token cache (2026-01-05 s1); now: Use Redis',
  );
});

const POSTGRES = page('s4', '2026-02-10', [
  {
    kind: 'decision',
    text: 'Login tokens go to Postgres instead of Redis tokens, since one store less is one worry less.',
    by: 'user',
  },
]);

test('a decision that changed twice is shown as A, then B, now C, and only C is valid', () => {
  const { text } = master([POSTGRES, SQLITE, REDIS]);
  expect(text).toContain(
    '- First: Keep login tokens in the memcached token cache (2026-01-05 s1); then: Use Redis for login tokens',
  );
  expect(text).toMatch(
    /; then: .* \(2026-01-09 s2\); now: Login tokens go to Postgres .* \(2026-02-10 s4\)$/m,
  );
  const [, decisions = ''] = /## Key Decisions\n([\s\S]*?)## Learnings/.exec(text) ?? [];
  expect(decisions.match(/^- /gm)).toHaveLength(1);
  expect(decisions).toMatch(/^- Login tokens go to Postgres/);
});

test('the way a decision went stays when the summaries of its first steps are gone', () => {
  const before = master([POSTGRES, SQLITE, REDIS]).text;
  for (const left of [[POSTGRES], [POSTGRES, SQLITE], [POSTGRES, REDIS]]) {
    const carried = carriedItems(before, (session) => left.some((it) => it.session === session));
    const { text } = master(left, { synthesis: synthesis(left, carried) });
    expect(text).toMatch(/First: Keep login tokens .*; then: Use Redis .*; now: Login tokens go to Postgres/);
    expect(text).not.toMatch(/^- (?:Keep login|Use Redis)/m);
  }
  const other = page('s9', '2026-03-01', [{ kind: 'decision', text: 'Prices are whole cents.' }]);
  const carried = carriedItems(before, () => false).filter(({ stepOf }) => stepOf !== undefined);
  expect(carried).toHaveLength(2);
  expect(master([other], { synthesis: synthesis([other], carried) }).text).not.toContain('tokens');
});

test('the same removal sent twice is no change', () => {
  const { text } = master([
    page('s1', '2026-01-12', [
      { kind: 'change', text: 'Removed `shouldSkipHooksForWarned()` function from `handlers.go`' },
    ]),
    page('s2', '2026-01-13', [
      {
        kind: 'change',
        text: '`handlers.go`: Removed `shouldSkipHooksForWarned()` - they no longer skip hooks for warned sessions',
      },
    ]),
  ]);
  expect(text).not.toContain('First:');
});

test('a heading of a theme is a word that people read, no joint and no stem', () => {
  const texts = [
    'Entire holds the index of `entireHome` since it is small.',
    'The lock of `entireLock` is kept since it is cheap.',
    'A queue of `entireQueue` waits since it must.',
    'The worker `plainWorker` sleeps in the harbour.',
  ];
  const { text } = master(
    texts.map((it, at) => page(`s${at}`, `2026-01-0${at + 1}`, [{ kind: 'decision', text: it }])),
  );
  expect(text).not.toMatch(/^### (?:Since|Entir)$/m);
});

test('a thousand summaries stay within the budget, and what the latest decided is there', () => {
  const many = Array.from({ length: 1000 }, (_, at) =>
    page(
      `s${at}`,
      `20${10 + Math.floor(at / 336)}-${String((at % 12) + 1).padStart(2, '0')}-${String((Math.floor(at / 12) % 28) + 1).padStart(2, '0')}`,
      [
        { kind: 'decision', text: `Module m${at} keeps its table${at} in store${at % 7}.` },
        { kind: 'learning', text: `The worker w${at} waits ${at} seconds for queue${at}.` },
      ],
    ),
  );
  const made = master(many, { budget: 4000 });
  expect(words(made.text)).toBeLessThanOrEqual(4000);
  expect(words(made.text)).toBeGreaterThan(3000);
  const newest = [...many].sort((a, b) => (a.last < b.last ? 1 : -1))[0]!;
  expect(made.text).toContain(newest.points[0]!.text);
});

test('what was answered later is no question any more', () => {
  expect(master([REDIS, SQLITE]).text).toContain('The eviction test');
  const { text } = master([REDIS, SQLITE, LATER]);
  expect(text.split('## Active Questions')[1]).not.toContain('The eviction test');
});

test('the same statement in several conversations appears once, with all of them', () => {
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

test('the current state of the project is shown beside the former one', () => {
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
    synthesis: synthesize({ pages, carried: [], themes: [], docs: [], now, isAgainst }),
  });
  expect(text).toContain('[`src/cache.ts` is now `lib/cache.ts`; `npm run bench` is no longer defined]');
  expect(text).toContain('[`src/gone/parser.ts` no longer exists]');
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
  expect(carried.map(({ text, sources }) => [text, sources[0]?.session])).toEqual([
    ['Keep login tokens in the memcached token cache', 's1'],
  ]);
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
