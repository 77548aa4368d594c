import { expect, test } from 'vitest';
import type { SearchHit } from '../../../app/search/hits.ts';
import { styleFor } from '../terminal/style.ts';
import { textWidth } from '../terminal/text-width.ts';
import { hitBlock } from './hit-block.ts';

test('every line of a hit fits the terminal, what replaced it too, and is indented below its head', () => {
  const words = 'the trailer stays with the commit message through every rebase and amend of the branch';
  const hit = {
    kind: 'turn',
    project: 'shop',
    sessionId: '4f2a91c0',
    exchange: { id: 'ex_00ff00ff00ff', range: [1, 2] },
    ts: '2026-01-05',
    role: 'assistant',
    score: 2.5,
    snippet: `${words}, ${words}`,
    title: 'Trailers',
    verdict: `replaced by: “${words} (${words})”`,
  } as unknown as SearchHit;
  const reading = { names: { projects: new Map(), sessions: new Map() }, matches: () => false };
  const clock = { local: (ts: string) => ts } as never;
  const [, ...body] = hitBlock(hit, 3, { ...reading, clock }, { style: styleFor(false), width: 60 });
  expect(body.filter((line) => textWidth(line) > 60)).toEqual([]);
  expect(body.filter((line) => !line.startsWith('   '))).toEqual([]);
  expect(body.map((line) => line.trim()).join(' ')).toContain(hit.verdict);
});
