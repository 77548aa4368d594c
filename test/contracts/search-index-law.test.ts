import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSearchIndex } from '../../src/adapters/index-sqlite/open-search-index.ts';
import type { IndexLine, SourceUpdate } from '../../src/core/model/search.ts';
import { indexContent } from '../made/index-content.ts';
import { indexLine, indexUpdate } from '../made/index-update.ts';
import { memoryIndex } from '../made/memory-index.ts';

const TERMS = [
  'a',
  'ab',
  'abc',
  'b',
  'token',
  '東京',
  'é',
  '\u{1f600}',
  '\u{1f601}x',
  '\ufffd',
  '\uffff',
  'n\0l',
];
const PATHS = ['a.ts', 'src/a.ts', 'test/src/a.ts', 'src/b.ts', 'xa.ts'];
const NAMES = ['s0', 's1', 's2', 's3'];
const QUESTIONS = { terms: [...TERMS, 'none'], prefixes: ['', 'a', 'ab', '東', '\u{1f600}'], paths: PATHS };

type Step =
  | {
      do: 'update';
      parts: { name: string; how: 'grow' | 'replace' | 'engine' | 'wrong'; lines: Line[]; files: Files }[];
    }
  | { do: 'remove'; name: string }
  | { do: 'tidy' };
type Line = { terms: string[]; startsExchange: boolean; flags: number; role: IndexLine['role'] };
type Files = [string, number][];

const line: fc.Arbitrary<Line> = fc.record({
  terms: fc.array(fc.constantFrom(...TERMS), { maxLength: 6 }),
  startsExchange: fc.boolean(),
  flags: fc.nat(31),
  role: fc.constantFrom('user', 'assistant', 'tool', 'other'),
});
const part = fc.record({
  name: fc.constantFrom(...NAMES),
  how: fc.oneof(
    { weight: 6, arbitrary: fc.constant('grow' as const) },
    { weight: 2, arbitrary: fc.constant('replace' as const) },
    { weight: 1, arbitrary: fc.constantFrom('engine' as const, 'wrong' as const) },
  ),
  lines: fc.array(line, { maxLength: 5 }),
  files: fc.uniqueArray(fc.tuple(fc.constantFrom(...PATHS), fc.integer({ min: 1, max: 9 })), {
    selector: ([path]) => path,
    maxLength: 3,
  }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('update' as const), parts: fc.array(part, { maxLength: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom(...NAMES) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'tidy' as const }) },
);

test('after any updates, replacements and removals, the index answers like the simple one in memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-index-'));
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.constantFrom(3, 1000), async (steps, piece) => {
      const index = openSearchIndex(join(folder, `${round++}.sqlite`), { piece });
      const plain = memoryIndex();
      for (const [n, one] of steps.entries()) {
        if (one.do === 'update') {
          const updates = await toUpdates(one.parts, plain);
          const outcomes = await Promise.all(
            [index, plain].map((each) =>
              each.update(updates, { step: String(n) }).then(
                () => 'taken',
                (error) => error.code,
              ),
            ),
          );
          expect(outcomes[0]).toBe(outcomes[1]);
        } else if (one.do === 'remove') {
          for (const each of [index, plain]) await each.remove('-home-ada-app', 'session', one.name);
        } else {
          await index.tidy();
          expect(await indexContent(index, QUESTIONS)).toEqual(await indexContent(plain, QUESTIONS));
        }
      }
      expect(await indexContent(index, QUESTIONS)).toEqual(await indexContent(plain, QUESTIONS));
      expect((await index.state()).lines).toBe((await plain.state()).lines);
      await index.destroy();
    }),
    { numRuns: 60 },
  );
  await rm(folder, { recursive: true });
});

async function toUpdates(
  parts: Extract<Step, { do: 'update' }>['parts'],
  plain: ReturnType<typeof memoryIndex>,
): Promise<SourceUpdate[]> {
  const cursors = await plain.cursors();
  return parts.map(({ name, how, lines, files }) => {
    const key = `-home-ada-app/session/${name}`;
    const { to, engine, file } = cursors.get(key) ?? { to: 0, engine: 1, file: 'f' };
    const from = how === 'grow' ? to : how === 'wrong' ? to + 5 : 0;
    const update = indexUpdate(name, from, [], {
      to: from + lines.length * 10,
      engine: how === 'engine' ? engine + 1 : engine,
      file,
      files,
      title: `${name} ${how}`,
      lines: lines.map(({ terms, ...about }, n) => indexLine(from + n * 10, '', { terms, ...about })),
    });
    cursors.set(key, update);
    return update;
  });
}
