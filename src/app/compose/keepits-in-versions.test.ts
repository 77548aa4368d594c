import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { compressSession } from '../compress/compress.ts';
import { readVersion } from '../compress/version-files.ts';
import { addKeepit } from '../keepit/change.ts';
import { sync } from '../sync/sync.ts';
import { compose } from './compose.ts';
import { findComposition } from './compositions.ts';
import { reuseComposition } from './reuse.ts';

const REF = { project: '-srv-shop' as ProjectId, session: 'alpha' as SessionId };
const RULE = 'Prices are whole cents, never floats.';
let made: TestWorld;
beforeEach(async () => {
  made = makeWorld();
  await write(20);
});
afterEach(() => made.remove());

async function write(exchanges: number): Promise<void> {
  mkdirSync(join(made.projects, REF.project), { recursive: true });
  const turns = Array.from({ length: exchanges }, (_, at) => ({
    you: at === 0 ? `##keepit0.40## ${RULE}` : `Question ${at}: what reads table ${at}?`,
    agent: `Table ${at} is read by src/table-${at}.ts, which writes row ${at * 31} of the ledger.`,
    at: `2026-02-01T10:${String(at).padStart(2, '0')}:00.000Z`,
  }));
  writeFileSync(join(made.projects, REF.project, 'alpha.jsonl'), transcript('/srv/shop', 'alpha', turns));
  await sync(made);
}

test('skipped messages keep what is marked in them where everything marked is preserved', async () => {
  const [kept] = await compressSession(made, REF, { ratio: 8, skipFirst: 4, keepit: 'preserve-all' });
  expect((await readVersion(made, REF, kept!.version!)).markdown).toContain(RULE);
  expect(kept!.receipt.keepits).toEqual([expect.objectContaining({ survives: true })]);
});

test('file names have the size of the version in them', async () => {
  const [small] = await compressSession(made, REF, { ratio: 15 });
  const [large] = await compressSession(made, REF, { ratio: 1 });
  for (const { version } of [small!, large!]) {
    const { file, outputTokens } = version!;
    const size = outputTokens < 1000 ? `${outputTokens}t` : `${Math.round(outputTokens / 1000)}k`;
    expect(file.endsWith(`_${size}`), file).toBe(true);
  }
  expect(small!.version!.file).toMatch(/^part1_v001_uniform-moderate_\d+t$/);
});

test('words of February that are pinned in June are quoted with their own date', async () => {
  const words = 'row 155 of the ledger';
  await addKeepit(made, 'alpha', { text: words, weight: 1 });
  const ask = { budget: 4000, sessions: ['alpha'] };
  const { jsonl } = await compose(made, 'x', ask, { preview: true });
  const [line] = jsonl
    .split('\n')
    .filter((it) => it.includes('"kept"') && it.includes(words))
    .map((it) => JSON.parse(it));
  expect(line.ts).toMatch(/^2026-02-01/);
});

test('a composition that is made again keeps the version that was chosen, after the session has grown too', async () => {
  const [first] = await compressSession(made, REF, { ratio: 8 });
  const { versionId } = first!.version!;
  await compose(made, 'basket', { budget: 4000, sessions: ['alpha:v001'] });
  await write(26);
  await compressSession(made, REF, { ratio: 8, delta: true, force: true });
  const again = await reuseComposition(made, await findComposition(made, 'basket'), {});
  expect(again.components[0]!.versionId.split('+')[0]).toBe(versionId);
});
