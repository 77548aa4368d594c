import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { recallScope } from '../find/scope.ts';
import { rotateMemory } from '../rolling/check.ts';
import { setNote } from '../rolling/notes.ts';
import { updateMemory } from '../rolling/update.ts';
import { sync } from '../sync/sync.ts';
import { memoryPieces } from './memory.ts';
import { recall } from './recall.ts';
import { RecallSources } from './sources.ts';

const SHOP = '-home-me-shop' as ProjectId;
const ID = (number: number) => `${String(number).repeat(8)}-aaaa-4aaa-8aaa-000000000001`;
let world: TestWorld;

function session(number: number, turns: Turn[]): void {
  const folder = join(world.projects, SHOP);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${ID(number)}.jsonl`), transcript('/home/me/shop', ID(number), turns));
}

beforeEach(async () => {
  world = makeWorld();
  session(1, [
    { you: '##keepit1.00## Orders are never deleted.' },
    {
      you: 'Always use pnpm in this repository, never npm.',
      agent: 'The lockfile moved to pnpm because npm lost the peers.',
    },
  ]);
  await sync(world);
  await updateMemory(world, SHOP);
  await rotateMemory(world, SHOP, true);
  session(2, [
    ...Array.from({ length: 14 }, (_, n) => ({
      you: `Why is gate ${n} of the warehouse slow?`,
      agent: `Gate ${n} scans every pallet twice. We decided to scan pallets once at gate ${n}.`,
      at: `2026-01-09T10:${10 + n}:00.000Z`,
    })),
  ]);
  session(3, [{ you: 'Name the van.', agent: 'The van is called Otter.', at: '2026-01-10T10:00:00.000Z' }]);
  await sync(world);
  await updateMemory(world, SHOP);
  await setNote(world, SHOP, { name: 'project', text: 'A shop for tea, run by two people.' });
});
afterEach(() => world.remove());

describe('recall without a topic', () => {
  it('tells rules, pinned, the project, memory.md, archives, the latest, in this order, each with its place', async () => {
    const { pieces, text } = await recall(world, { project: 'shop', budget: 4000 });
    const order = pieces.map(({ kind }) => kind).filter((kind, at, all) => kind !== all[at - 1]);
    expect(order).toEqual(['rule', 'pinned', 'note', 'memory', 'summary', 'latest']);
    expect(text).toContain('project.md\n> A shop for tea');
    expect(text).toMatch(/memory\.md, session 22222222, .*\n> - asked \(done\): .*gate/);
    expect(text).toMatch(/memory_\d{8}_\d{6}\.summary\.json, /);
    expect(pieces.every(({ source }) => source !== '')).toBe(true);
    // What the latest exchanges say themselves is not summarized before them.
    expect(text).not.toContain('memory.md, session 33333333');
    expect(text.match(/called Otter/g)).toHaveLength(1);
  });

  it('leaves out lines of memory.md that say again what is shown before, and entries that say nothing else', async () => {
    const scope = await recallScope(world, 'shop');
    const sources = await RecallSources.open(world, scope);
    const entries = async (...shown: string[]) =>
      (await memoryPieces(world, scope, sources, { budget: 4000, latest: [], shown }))
        .filter(({ kind }) => kind === 'memory')
        .map(({ text }) => text);
    const [newest = '', gates = ''] = await entries();
    const why = (gate: number) => `Why is gate ${gate} of the warehouse slow?`;
    expect(gates).toContain(`- asked (done): ${why(3)}\n`);
    expect(await entries(`user: ${why(3)} It is cold there.`)).toEqual([
      newest,
      gates.replace(`- asked (done): ${why(3)}\n`, ''),
    ]);
    // What is left are requests without an outcome.
    const cut = `User: "${why(13)}" -> Gate 13 scans every pallet twice. We decided to scan pallets`;
    expect(await entries(cut)).toEqual([newest]);
  });

  it('never takes more than its budget, and leaves room for the latest beside a long note', async () => {
    await setNote(world, SHOP, { name: 'project', text: 'Tea is sold by weight. '.repeat(2000) });
    for (const budget of [60, 150, 300, 700, 1500]) {
      const { tokens, pieces } = await recall(world, { project: 'shop', budget });
      expect(tokens).toBeLessThanOrEqual(budget);
      if (budget >= 700) expect(pieces.map(({ kind }) => kind)).toContain('latest');
    }
  });

  it('tells of an earlier day only what was there by then', async () => {
    const { pieces, text } = await recall(world, { project: 'shop', asOf: '2026-01-07' });
    expect(text).not.toContain('warehouse');
    expect(pieces.map(({ kind }) => kind)).not.toContain('note');
  });
});

describe('recall with a topic', () => {
  it('tells facts, notes and entries that fit, and no other note', async () => {
    await setNote(world, SHOP, {
      name: 'architecture',
      text: '# Warehouse\n\nThe warehouse talks to the scanner by radio.\n',
    });
    const { text } = await recall(world, { topic: 'warehouse scanner', project: 'shop' });
    expect(text).toContain('architecture.md, Warehouse');
    expect(text).toContain('by radio');
    expect(text).not.toContain('A shop for tea');
  });

  it('tells a rule once, though it fits, too', async () => {
    const { text } = await recall(world, { topic: 'pnpm repository', project: 'shop' });
    expect(text.match(/^> Always use pnpm in this repository/gm)).toHaveLength(1);
  });
});
