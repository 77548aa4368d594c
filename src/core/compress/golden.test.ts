import { beforeAll, describe, expect, it } from 'vitest';
import { settingsOf, turnsFrom } from '../../../test/made/turns.ts';
import { shortHash } from '../model/ids.ts';
import { loadTokenCounter, type TokenCounter } from '../text/tokens.ts';
import { tiersOf } from './choose/tiers.ts';
import { compress } from './compress.ts';
import type { Turn } from './turn.ts';

let count: TokenCounter;
beforeAll(async () => {
  count = await loadTokenCounter();
});

/** A hand-made session of the usual things: asks, answers, failing and passing runs, edits, code, three languages. */
const session: Turn[] = turnsFrom(
  Array.from({ length: 12 }, (_, round) => [
    {
      role: 'user' as const,
      text: `The import of invoices stops at row ${round * 17}. Find out why, and mend it in src/import/row-${round}.ts.`,
    },
    {
      role: 'assistant' as const,
      text: `Let me run the tests first.\n\n- The reader counts bytes.\n- The writer counts characters, e.g. in ${round} places.`,
    },
    {
      role: 'tool' as const,
      name: 'Bash',
      target: `npm test -- row-${round}`,
      result: `Exit code 1\nexpected ${round} to be ${round + 1}`,
      detail: {
        input: { command: `npm test -- row-${round}` },
        output: `FAIL row-${round}\n${'at reader\n'.repeat(20)}1 failed`,
        isError: true,
      },
    },
    {
      role: 'tool' as const,
      name: 'Edit',
      target: `src/import/row-${round}.ts`,
      detail: {
        input: {
          old_string: `const size = text.length;\nreturn ${round};`,
          new_string: `const size = Buffer.byteLength(text);\nreturn ${round};`,
        },
        output: 'ok',
        isError: false,
      },
    },
    {
      role: 'assistant' as const,
      text: `Die Länge zählte Zeichen statt Bytes. Das ist behoben.\n\n\`\`\`ts\nBuffer.byteLength(text, 'utf8'); // ${round}\n\`\`\`\n\n行の長さはバイトで数える。The tests of row ${round} pass now.`,
    },
  ]).flat(),
);
const kept = [{ markerId: 'km_1', src: 0, content: 'The import of invoices stops at row 0.', weight: 1 }];

const ways = {
  'uniform 1:1': { compactionRatio: 1 },
  'uniform 4:1': { compactionRatio: 4 },
  'uniform 10:1': { compactionRatio: 10 },
  'uniform 30:1, telegraphic': { compactionRatio: 30, telegraphic: true },
  'tiered, standard': { mode: 'tiered', tierPreset: 'standard' },
  manual: { mode: 'manual', choices: { ex_1: 'keep', ex_2: 'shrink', ex_3: 'drop' } },
} as const;

describe('a version', () => {
  // When the engine changes on purpose these change with it, and the engine's number with them.
  it('is the same bytes on every machine and every day', () => {
    const hashes = Object.entries(ways).map(([way, rest]) => {
      const settings = settingsOf(rest);
      const made = compress({
        turns: session,
        kept,
        outcomes: [],
        settings,
        tiers: tiersOf(settings),
        inputTokens: 6000,
        count,
        title: 'Invoices',
        header: { session: 's1', part: 1 },
      });
      return `${way}: ${made.outputTokens} tokens, ${shortHash(made.markdown, 16)} ${shortHash(made.jsonl, 16)}`;
    });
    expect(hashes).toMatchInlineSnapshot(`
      [
        "uniform 1:1: 3846 tokens, 31761cbba1b99700 807b6a50409577e3",
        "uniform 4:1: 1495 tokens, 8ba52593d237aee9 d8724674c5116209",
        "uniform 10:1: 598 tokens, 3dcbc9cd22f07ee9 eb4e503b68b0c065",
        "uniform 30:1, telegraphic: 171 tokens, 4c8da902d1611904 542405da7a1faf22",
        "tiered, standard: 675 tokens, 09242bc48df78516 7b1b9227b833a59b",
        "manual: 2038 tokens, b088479334f5354a 4e5ea154c66742d8",
      ]
    `);
  });
});
