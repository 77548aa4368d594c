import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { countWork, outgrown } from '../../../test/made/counted-work.ts';
import { type Step, workSession } from '../../../test/made/work.ts';

const ID = (n: number) => `${String(n).padStart(8, '0')}-aaaa-4aaa-8aaa-000000000001`;
/** What a later session took back is looked up among the statements of all, at most 12 a session. */
const AMONG_ALL = /overturned-later|taken-back/;
const THINGS = ['basket', 'login', 'invoice', 'search', 'coupon'];

function steps(n: number): Step[] {
  const thing = THINGS[n % THINGS.length]!;
  return [
    { you: `Store the ${thing} in table ${n}, because the old one is full.` },
    { edit: `src/${thing}${n}.ts` },
    { agent: `The ${thing} is now stored in \`table_${n}\`, the old one was removed.` },
    {
      run: `git commit -m "fix: move the ${thing} to table ${n}" -m "The old table was full, so rows were lost."`,
    },
    { agent: 'Committed.' },
  ];
}

it('reading the statements of one session more costs its own length, however many there are', async () => {
  const work = await countWork();
  // Loaded only now: what ran before is not counted.
  const { makeWorld } = await import('../../../test/made/world.ts');
  const { sync } = await import('../sync/sync.ts');
  const cost = async (sessions: number) => {
    const made = makeWorld();
    const put = (n: number) => {
      const path = join(made.projects, '-srv-shop', `${ID(n)}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, workSession(ID(n), steps(n), '2026-01-05'));
    };
    for (let n = 0; n < sessions; n++) put(n);
    await sync(made);
    put(sessions);
    const counted = await work(() => sync(made));
    await made.remove();
    return new Map(
      [...counted].filter(([place]) => place.startsWith('src/core/statements/') && !AMONG_ALL.test(place)),
    );
  };
  await cost(2);
  const [few, many] = [await cost(5), await cost(30)];
  expect(few.size).toBeGreaterThan(50);
  expect(outgrown(few, many, 1.1, 20)).toEqual([]);
});
