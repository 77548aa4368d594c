import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { memoryBlocks } from '../../core/rolling/memory-blocks.ts';
import { renameProject } from '../find/rename-project.ts';
import { setKeepit } from '../keepit/change.ts';
import { listKeepits } from '../keepit/keepits.ts';
import { allFacts } from '../layers/facts.ts';
import { addFact, settleFact } from '../layers/facts-edit.ts';
import { verify } from '../maintenance/verify.ts';
import { finishMemory } from '../rolling/check.ts';
import { getNote, setNote } from '../rolling/notes.ts';
import { MEMORY_FILE } from '../rolling/rolling-memory.ts';
import { renameSession } from '../session/rename.ts';
import { setSetting } from '../settings/configure.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { exportBundle } from './export.ts';
import { importBundle } from './import.ts';

const PROJECT = '-srv-shop' as ProjectId;
const FACTS = ['Always use pnpm.', 'Prices are in cents.'];
const DAY = 86_400_000;

/** An archive on the disk whose clock is off. */
async function device(index: number, skew: number): Promise<World & { made: TestWorld }> {
  const made = makeWorld();
  const id = `s${index}`;
  mkdirSync(join(made.projects, PROJECT), { recursive: true });
  const said = [{ you: `Task ${index}. ##keepit0.50## Number ${index}.` }, { agent: 'Done.' }];
  writeFileSync(join(made.projects, PROJECT, `${id}.jsonl`), workSession(id, said));
  const clock = {
    now: () => new Date(Date.parse(made.clock.now()) + skew).toISOString(),
    millis: () => made.clock.millis() + skew,
    local: (utc: string) => utc,
  };
  const random = { uuid: () => `0000000${index}-0000-4000-8000-000000000000` };
  const world = { ...made, clock, random, made };
  await sync(world);
  return world;
}

const EDITS: ((world: World, value: number) => Promise<unknown>)[] = [
  (world, value) => addFact(world, { content: FACTS[value % 2]!, project: PROJECT }),
  async (world, value) => {
    const fact = (await allFacts(world)).find(({ content }) => content === FACTS[value % 2]);
    const action = value % 3 === 0 ? ('forget' as const) : ('confirm' as const);
    if (fact) await settleFact(world, fact.id, { action });
  },
  async (world, value) => {
    const [keepit] = (await listKeepits(world, { project: PROJECT })).items;
    if (keepit) await setKeepit(world, keepit.markerId, (value % 9) / 10);
  },
  (world, value) => renameProject(world, PROJECT, `Shop ${value}`),
  async (world, value) => {
    const [session] = Object.keys((await world.archive.open(PROJECT))!.manifest.sessions).sort();
    await renameSession(world, { session: session!, name: value % 4 === 0 ? '' : `Name ${value}` });
  },
  (world, value) =>
    setSetting(world, 'levels.light', value % 4 === 0 ? undefined : String(2 + value), PROJECT),
  async (world, value) => {
    const { text, written } = await getNote(world, PROJECT, 'project');
    const lines = written ? text.split('\n').slice(0, -1) : ['# Project'];
    lines.splice(1 + (value % lines.length), value % 3 === 0 ? 1 : 0, `- line ${value}`);
    await setNote(world, PROJECT, { name: 'project', text: `${lines.join('\n')}\n` });
  },
  async (world, value) => {
    await finishMemory(world, PROJECT);
    const text = (await world.archive.files.read(PROJECT, MEMORY_FILE))?.toString() ?? '';
    const last = text.lastIndexOf('\n## ');
    const changed = value % 3 === 0 ? text.slice(0, last) : `${text}- noted ${value}\n`;
    if (last !== -1) await world.archive.files.write(PROJECT, MEMORY_FILE, changed);
  },
];

async function bring(from: World, to: World): Promise<void> {
  const out = join(from.places.home, 'out.keepsake.gz');
  await exportBundle(from, { out, project: PROJECT, force: true });
  await importBundle(to, out, { mine: true });
}

/** What a user sees, read as a user reads it. */
async function seen(world: World) {
  const { displayName, settings, sessions } = (await world.archive.open(PROJECT))!.manifest;
  const facts = await allFacts(world, PROJECT);
  return {
    displayName,
    light: (settings.levels as { light?: number } | undefined)?.light,
    names: Object.values(sessions)
      .map(({ sessionId, name }) => `${sessionId} ${name}`)
      .sort(),
    facts: facts
      .map(({ id, content, confidence, validatedByUser }) => [id, content, confidence, validatedByUser])
      .sort(),
    keepits: (await listKeepits(world, { project: PROJECT })).items.map(({ markerId, weight }) => [
      markerId,
      weight,
    ]),
    note: (await getNote(world, PROJECT, 'project')).text,
    memory: [
      ...memoryBlocks([(await world.archive.files.read(PROJECT, MEMORY_FILE))?.toString() ?? '']),
    ].sort(),
  };
}

describe('archives on the disk that import from each other', () => {
  it('end in the same state, and every byte of them is sound', async () => {
    const step = fc.record({
      at: fc.nat(2),
      edit: fc.nat(EDITS.length - 1),
      value: fc.nat(11),
      to: fc.option(fc.nat(2)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -3 * DAY, max: 3 * DAY }), { minLength: 3, maxLength: 3 }),
        fc.array(step, { minLength: 4, maxLength: 10 }),
        async (skews, steps) => {
          const devices = await Promise.all(skews.map((skew, index) => device(index, skew)));
          try {
            for (const { at, edit, value, to } of steps) {
              await EDITS[edit]!(devices[at]!, value);
              if (to !== null && to !== at) await bring(devices[at]!, devices[to]!);
            }
            const [hub, ...others] = devices;
            for (const from of others) await bring(from, hub!);
            for (const to of others) await bring(hub!, to);
            const first = await seen(hub!);
            for (const other of others) expect(await seen(other)).toEqual(first);
            for (const world of devices) expect((await verify(world)).problems).toEqual([]);
          } finally {
            for (const { made } of devices) await made.remove();
          }
        },
      ),
      { numRuns: 5 },
    );
  });
});
