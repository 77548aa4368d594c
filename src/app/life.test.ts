import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transcript } from '../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../test/made/world.ts';
import type { ProjectId, SessionId } from '../core/model/ids.ts';
import { exportBundle } from './bundle/export.ts';
import { importBundle } from './bundle/import.ts';
import { compressSession } from './compress/compress.ts';
import { addKeepit, setKeepit } from './keepit/change.ts';
import { listKeepits } from './keepit/keepits.ts';
import { allFacts } from './layers/facts.ts';
import { addFact, settleFact } from './layers/facts-edit.ts';
import { verify } from './maintenance/verify.ts';
import { runRetention } from './retention/run.ts';
import { undoRetention } from './retention/undo.ts';
import { setSetting } from './settings/configure.ts';
import { sync } from './sync/sync.ts';
import type { World } from './world.ts';

const PROJECT = '-srv-shop' as ProjectId;
const PINNED = 'Prices are whole cents, always.';
const DAY = 86_400_000;
const RULES = new Map([
  ['a', 'always install packages with pnpm.'],
  ['b', 'never deploy the server on a Friday.'],
]);
/** Far enough apart that none is taken for another. */
const FACTS = [
  'Invoices carry the customer number in their footer.',
  'The warehouse closes for inventory every January.',
  'Passwords are hashed with argon2 before storage.',
  'Icons live in the design team repository.',
  'Shipping labels come from the carrier service.',
  'Refunds need two approvals above a thousand euros.',
  'Search results are cached for ninety seconds.',
];

type Life = { made: TestWorld; days: number; overlays: Set<string>; facts: Set<string> };

/** An archive with a session, its versions, a rule that was confirmed. */
async function begin(id: string): Promise<Life> {
  const made = makeWorld();
  const folder = join(made.projects, PROJECT);
  mkdirSync(folder, { recursive: true });
  const turns = Array.from({ length: 4 }, (_, n) => ({
    you: `${id} asks ${n}.${n === 1 ? ` From now on ${RULES.get(id)}\n\n##keepit1.00## ${PINNED}` : ''}`,
    agent: `Detail ${n} of ${id}: ${'the basket counts what it holds, '.repeat(12)}number ${n}.`,
  }));
  writeFileSync(join(folder, `${id}.jsonl`), transcript('/srv/shop', id, turns));
  await sync(made);
  const ref = { project: PROJECT, session: id as SessionId };
  for (const ratio of [2, 4]) await compressSession(made, ref, { ratio });
  const [rule] = (await allFacts(made)).filter(({ content }) =>
    content.includes(RULES.get(id)!.slice(0, 12)),
  );
  if (rule) await settleFact(made, rule.id, { action: 'confirm' });
  return { made, days: 0, overlays: new Set(), facts: new Set(rule ? [rule.content] : []) };
}

/** The same archive, on a later day. */
function on({ made, days }: Life): World {
  const clock = {
    now: () => new Date(Date.parse(made.clock.now()) + days * DAY).toISOString(),
    millis: () => made.clock.millis() + days * DAY,
    local: (utc: string) => utc,
  };
  return { ...made, clock };
}

const STEPS = {
  /** Brings one archive's memory into the other. */
  async import(mine: Life, other: Life) {
    const out = join(other.made.places.home, 'out.keepsake.gz');
    await exportBundle(on(other), { out, project: PROJECT, force: true });
    await importBundle(on(mine), out, { mine: true });
    for (const overlay of other.overlays) mine.overlays.add(overlay);
    for (const fact of other.facts) mine.facts.add(fact);
  },
  async keepit(mine: Life) {
    const [keepit] = (await listKeepits(on(mine))).items.filter(({ weight }) => weight < 1);
    if (keepit) await setKeepit(on(mine), keepit.markerId, keepit.weight === 0.7 ? 0.6 : 0.7);
    else
      await addKeepit(on(mine), 'a', { text: 'number 3', weight: 0.5 }).catch(() =>
        addKeepit(on(mine), 'b', { text: 'number 3', weight: 0.5 }),
      );
    for (const { overlayId } of (await mine.made.archive.open(PROJECT))!.manifest.overlays)
      mine.overlays.add(overlayId);
  },
  async fact(mine: Life) {
    const content = FACTS.find((fact) => !mine.facts.has(fact))!;
    await addFact(on(mine), { content, project: PROJECT });
    mine.facts.add(content);
  },
  /** All that can be made again is lost, the manifest too. */
  async rebuild(mine: Life) {
    const folder = join(mine.made.archive.root, 'projects', PROJECT);
    for (const name of [
      'manifest.json',
      'manifest.prev.json',
      'manifest.log',
      'manifest.prev.log',
      'memory/sessions',
      'memory/facts.json',
    ])
      rmSync(join(folder, name), { recursive: true, force: true });
    rmSync(join(mine.made.archive.root, 'cache'), { recursive: true, force: true });
    await sync(on(mine));
  },
  async decay(mine: Life) {
    mine.days += 40;
    await setSetting(on(mine), 'autoDecay.schedule', 'weekly');
    await runRetention(on(mine));
  },
  async undo(mine: Life) {
    await undoRetention(on(mine)).catch(() => undefined);
  },
};

describe('the life of memory', () => {
  it('loses no overlay, confirmed fact, pinned text or original, in whatever order things are done', async () => {
    const step = fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[]));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.boolean()), { minLength: 3, maxLength: 7 }),
        async (steps) => {
          const lives = [await begin('a'), await begin('b')] as const;
          try {
            const originals = lives.map(({ made }, at) =>
              readFileSync(join(made.projects, PROJECT, `${'ab'[at]}.jsonl`)),
            );
            for (const [name, first] of steps) {
              const [mine, other] = first ? lives : ([lives[1], lives[0]] as const);
              await STEPS[name](mine, other);
            }
            for (const [at, life] of lives.entries()) await check(life, 'ab'[at]!, originals[at]!);
          } finally {
            for (const { made } of lives) await made.remove();
          }
        },
      ),
      { numRuns: 6 },
    );
  });
});

async function check({ made, overlays, facts }: Life, own: string, original: Buffer): Promise<void> {
  const { manifest } = (await made.archive.open(PROJECT))!;
  expect(manifest.overlays.map((it) => it.overlayId)).toEqual(expect.arrayContaining([...overlays]));
  const contents = (await allFacts(made)).map(({ content }) => content);
  expect(contents).toEqual(expect.arrayContaining([...facts]));
  const pinned = (await listKeepits(made)).items.filter(({ weight }) => weight === 1);
  expect(pinned.map(({ content }) => content)).toContain(PINNED);
  for (const { sessionId, compressions } of Object.values(manifest.sessions)) {
    for (const { file } of compressions) {
      const markdown = await made.archive.files.read(PROJECT, `summaries/${sessionId}/${file}.md`);
      expect(markdown?.toString()).toContain(PINNED);
    }
  }
  expect(readFileSync(made.archive.originals.path(PROJECT, `${own}.jsonl`)).equals(original)).toBe(true);
  expect((await verify(made)).problems.filter(({ level }) => level === 'error')).toEqual([]);
}
