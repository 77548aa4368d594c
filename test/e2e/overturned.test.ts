import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Step, workSession } from '../made/work.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const ONE = '11111111-aaaa-4aaa-8aaa-000000000001';
const TWO = '22222222-aaaa-4aaa-8aaa-000000000002';

/** A proposal that is refused at once, a decision that the next session replaces, and a rule that the user rejects by hand. */
const FIRST: Step[] = [
  { you: 'How should we cache the prices of the shop?' },
  {
    agent: 'We should cache the prices in Redis with a TTL of 60 seconds, because the price service is slow.',
  },
  { you: "No, we don't run Redis anywhere, and we never will. Keep them in the memory of the process." },
  { edit: 'src/prices.ts' },
  { agent: "You're right, I was wrong about Redis. The prices are now kept in the memory of the process." },
  { you: 'Store the basket in `cookieStore`, because it survives a restart.' },
  { edit: 'src/basket.ts', from: 'let basket', to: 'cookieStore.save(basket)' },
  { run: 'npm test', prints: '12 passed' },
  { agent: 'The basket is now stored in `cookieStore` and survives a restart.' },
  { you: 'From now on always keep prices as floats.' },
  { agent: 'Prices are kept as floats from now on.' },
];
const SECOND: Step[] = [
  { you: 'We replace `cookieStore` with `sessionTable`, because cookies are too small for the basket.' },
  { edit: 'src/basket.ts', from: 'cookieStore.save(basket)', to: 'sessionTable.save(basket)' },
  {
    run: 'git commit -m "fix: keep the basket in sessionTable" -m "Replaced cookieStore with sessionTable, since a cookie holds 4 KB at most."',
  },
  { agent: 'The basket is now kept in `sessionTable` instead of `cookieStore`.' },
  { you: 'Add a page for the invoices.' },
  { edit: 'src/invoices.ts' },
  { agent: 'Added the page for the invoices.' },
];

const REFUSED = /cache the prices in Redis/i;
const REPLACED = /now stored in `?cookieStore/i;
const REJECTED = /always keep prices as floats|Prices are kept as floats/i;

let home: CliHome;
let shop: string;
let rejected = '';

beforeAll(async () => {
  await builtCli();
  home = new CliHome();
  shop = join(home.path, 'shop');
  mkdirSync(shop);
  const put = (id: string, steps: Step[], day: string) =>
    home.file(
      join(home.projects, shop.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`),
      workSession(id, steps, day, shop),
    );
  put(ONE, FIRST, '2026-01-05');
  home.ok('sync');
  // Written down while it was true: what takes it back must reach what is there.
  home.in(shop, 'summarize', ONE);
  home.in(shop, 'synthesize');
  const rule = home.json('facts').items.find(({ content }: { content: string }) => REJECTED.test(content));
  rejected = rule.id;
  put(TWO, SECOND, '2026-01-06');
  home.ok('sync');
  home.in(shop, 'summarize', TWO);
  home.ok('facts', 'reject', rejected, 'Prices are cents.');
  home.ok('sync');
  home.in(shop, 'synthesize');
});
afterAll(() => home.remove());

const hook = (event: string, more: object = {}) => {
  const input = {
    session_id: '33333333-aaaa-4aaa-8aaa-000000000003',
    transcript_path: '',
    cwd: shop,
    hook_event_name: event,
    ...more,
  };
  return home.run(['hook'], {}, shop, JSON.stringify(input)).stdout;
};
const memoryFile = () => {
  const [project] = readdirSync(join(home.archive, 'projects'));
  return readFileSync(join(home.archive, 'projects', project!, 'memory', 'memory.md'), 'utf8');
};

const LAYERS: Record<string, () => string> = {
  facts: () => JSON.stringify(home.json('facts').items.map(({ content }: { content: string }) => content)),
  candidates: () =>
    JSON.stringify(
      home.json('facts', '--candidates').items.map(({ content }: { content: string }) => content),
    ),
  'rolling memory': memoryFile,
  'a page of the journal': () => home.in(shop, 'summarize', ONE, '--print'),
  master: () => readFileSync(join(shop, '_memory', 'master.md'), 'utf8'),
  'the start of a session': () => hook('SessionStart', { source: 'startup' }),
  'a prompt': () =>
    hook('UserPromptSubmit', { prompt: 'Where is the basket stored, and how are prices kept?' }),
};

describe('refused, replaced or rejected statements are not presented as true', () => {
  test.each(Object.entries(LAYERS))('by %s', (_, text) => {
    const presented = text();
    expect(presented).not.toMatch(REFUSED);
    expect(presented).not.toMatch(REPLACED);
    expect(presented).not.toMatch(REJECTED);
  });

  test('by recall without the words that withdrew them', () => {
    for (const topic of ['caching of prices in Redis', 'where the basket is stored', 'prices as floats']) {
      for (const line of home.in(shop, 'recall', topic).split('\n')) {
        if (!REFUSED.test(line) && !REPLACED.test(line) && !REJECTED.test(line)) continue;
        expect(line, topic).toMatch(/rejected|replaced by/i);
      }
    }
  });

  test('by a search, which shows what withdrew them', () => {
    const found = home.in(shop, 'search', 'basket stored cookieStore survives restart');
    expect(found).toMatch(/replaced by|rejected/);
    expect(home.in(shop, 'search', 'always keep prices as floats')).toMatch(/rejected/);
  });

  test('by a composition, whose heading says what is no longer true', () => {
    home.ok('compose', 'old', '--sessions', ONE);
    const text = home.ok('compositions', 'show', 'old', '--markdown');
    expect(text).toMatch(/since then: .*(?:replaced by|rejected)/);
    expect(text).toContain('We replace `cookieStore` with `sessionTable`');
    expect(text).toContain('Prices are cents.');
  });

  test('and their history stays', () => {
    expect(home.ok('facts', 'show', rejected)).toMatch(/Prices are cents/);
    expect(JSON.stringify(home.json('facts', '--rejected').items)).toMatch(REJECTED);
  });
});
