import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { type Step, workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { sync } from '../sync/sync.ts';
import { listFacts } from './facts.ts';
import { trueStatements } from './standing-statements.ts';

const PROJECT = '-srv-shop' as ProjectId;
const ID = (n: number) => `${String(n).repeat(8)}-aaaa-4aaa-8aaa-00000000000${n}`;
const worlds: TestWorld[] = [];

afterEach(async () => {
  for (const made of worlds.splice(0)) await made.remove();
});

/** A rule, the same in other words, its contrary, a name that replaces another, and work that has nothing to do with them. */
const SESSIONS: Step[][] = [
  [
    { you: 'Add the basket page. From now on never push straight to main.' },
    { edit: 'src/basket.ts' },
    { agent: 'Added the basket page in `src/basket.ts`. I will not push to main.' },
    { you: 'Store the basket in `cookieStore`, because it survives a restart.' },
    { edit: 'src/basket.ts', from: 'let basket', to: 'cookieStore.save(basket)' },
    { run: 'npm test', prints: '12 passed' },
    { agent: 'The basket is now stored in `cookieStore` and survives a restart.' },
  ],
  [
    { you: 'Please do not push directly to the main branch, open a pull request.' },
    { agent: 'Understood, I open a pull request for each change.' },
    { you: 'Use pnpm instead of npm in this project.' },
    { edit: 'package.json', from: 'npm', to: 'pnpm' },
    { agent: 'The scripts in `package.json` now use pnpm instead of npm.' },
  ],
  [
    { you: 'We replace `cookieStore` with `sessionTable`, because cookies are too small for the basket.' },
    { edit: 'src/basket.ts', from: 'cookieStore.save(basket)', to: 'sessionTable.save(basket)' },
    {
      run: 'git commit -m "fix: keep the basket in sessionTable" -m "Replaced cookieStore with sessionTable, since a cookie holds 4 KB at most."',
    },
    { agent: 'The basket is now kept in `sessionTable` instead of `cookieStore`.' },
  ],
  [
    { you: 'From now on push straight to main, pull requests take too long.' },
    { agent: 'I push straight to main from now on.' },
    { you: 'The coupon must not be used twice.' },
    { edit: 'src/coupon.ts' },
    { agent: 'A coupon is now refused when it was used before.' },
  ],
];

/** What every layer of statements says, after the sessions came in this order, with a sync after each of `stops`. */
async function derivedFrom(order: number[], stops: Set<number>): Promise<unknown> {
  const made = makeWorld();
  worlds.push(made);
  for (const [place, session] of order.entries()) {
    const path = join(made.projects, '-srv-shop', `${ID(session + 1)}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, workSession(ID(session + 1), SESSIONS[session]!, `2026-01-0${session + 1}`));
    if (stops.has(place)) await sync(made);
  }
  await sync(made);
  const names = await made.archive.files.list(PROJECT, 'memory');
  const files = names
    .filter((name) => /^(?:facts|concepts)\.json$|\.(?:l2|statements)\.json$/.test(name))
    .sort();
  const { manifest } = (await made.archive.open(PROJECT))!;
  const standing = await trueStatements(made, PROJECT, manifest);
  return {
    files: files.map((name) => [
      name,
      readFileSync(made.archive.files.path(PROJECT, `memory/${name}`), 'utf8'),
    ]),
    shown: (await listFacts(made, {})).items,
    candidates: (await listFacts(made, { candidates: true })).items,
    standing: [...standing].sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

it('the same sessions give the same statements and facts, in any order of ingestion', async () => {
  const expected = await derivedFrom([0, 1, 2, 3], new Set());
  expect(JSON.stringify(expected)).toContain('sessionTable');
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
      fc.subarray([0, 1, 2, 3]),
      async (order, stops) => {
        expect(await derivedFrom(order, new Set(stops))).toEqual(expected);
      },
    ),
    { numRuns: 8 },
  );
});
