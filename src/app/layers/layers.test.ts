import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Step, workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { factFileShape } from '../../core/model/fact-file.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { rulesFor } from '../find/rules.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { sync } from '../sync/sync.ts';
import { listConcepts } from './concepts.ts';
import { mergeConcepts, renameConcept, splitConcept } from './concepts-edit.ts';
import { allFacts, findFact, listFacts } from './facts.ts';
import { addFact, settleFact } from './facts-edit.ts';
import { layersBefore } from './sync.ts';
import { updateLayers } from './update.ts';

const PROJECT = '-srv-shop' as ProjectId;
const worlds: TestWorld[] = [];

function world(): TestWorld {
  const made = makeWorld();
  worlds.push(made);
  return made;
}

afterEach(async () => {
  for (const made of worlds.splice(0)) await made.remove();
});

const ID = (n: number) => `${n}${n}${n}${n}${n}${n}${n}${n}-aaaa-4aaa-8aaa-00000000000${n}`;

function put(made: TestWorld, n: number, text: string): string {
  const path = join(made.projects, '-srv-shop', `${ID(n)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const BASKET: Step[] = [
  { you: 'Add a basket to the shop. From now on keep prices in cents.' },
  { edit: 'src/basket.ts' },
  { run: 'npm test', fails: 'Error: basket is not defined' },
  { edit: 'src/basket.ts' },
  { run: 'npm test' },
  { agent: 'Added the basket in src/basket.ts; the tests pass because it is exported now.' },
];
const LOGIN: Step[] = [
  { you: 'Write the login page with a password field.' },
  { edit: 'src/login.ts' },
  { agent: 'The login page with its password field is in src/login.ts.' },
  { you: "Please don't use inline styles, it breaks the theme." },
  { agent: 'Moved the styles of the login page into the theme.' },
];

/** Every layer file of the project, by its name; memory.md and what belongs to it goes with time, not with sessions. */
async function layerFiles(made: TestWorld): Promise<Map<string, string>> {
  const names = (await made.archive.files.list(PROJECT, 'memory')).filter(
    (name) => name.endsWith('.json') && name !== 'memory-index.json',
  );
  return new Map(
    names.map((name) => [name, readFileSync(made.archive.files.path(PROJECT, `memory/${name}`), 'utf8')]),
  );
}

async function topics(made: TestWorld): Promise<Record<string, string[] | undefined>> {
  const sessions = (await made.archive.open(PROJECT))?.manifest.sessions ?? {};
  return Object.fromEntries(
    Object.entries(sessions).map(([id, record]) => [id, record.metadata.primaryTopics]),
  );
}

describe('layers', () => {
  it('are the same in any number of steps as at once, and when they are made again', async () => {
    const texts = [workSession(ID(1), BASKET), workSession(ID(2), LOGIN, '2026-01-06')];
    const whole = world();
    for (const [place, text] of texts.entries()) put(whole, place + 1, text);
    await sync(whole);
    const expected = await layerFiles(whole);
    expect([...expected.keys()].sort()).toEqual([
      'concepts.json',
      'facts.json',
      'sessions/2026-01-05_1000_11111111.l2.json',
      'sessions/2026-01-05_1000_11111111.statements.json',
      'sessions/2026-01-06_1000_22222222.l2.json',
      'sessions/2026-01-06_1000_22222222.statements.json',
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), fc.nat(12)), { maxLength: 4 }), async (steps) => {
        const made = world();
        const lines = texts.map((text) => text.split(/(?<=\n)/));
        const taken = [0, 0];
        for (const [session, count] of [...steps, [0, 99], [1, 99]] as [0 | 1, number][]) {
          const more = lines[session]!.slice(taken[session], taken[session]! + count);
          if (more.length === 0) continue;
          if (taken[session] === 0) put(made, session + 1, more.join(''));
          else appendFileSync(join(made.projects, '-srv-shop', `${ID(session + 1)}.jsonl`), more.join(''));
          taken[session]! += more.length;
          await sync(made);
        }
        expect(await layerFiles(made)).toEqual(expected);
        expect(await topics(made)).toEqual(await topics(whole));
      }),
      { numRuns: 3 },
    );
    for (const name of expected.keys()) {
      rmSync(whole.archive.files.path(PROJECT, `memory/${name}`));
      await sync(whole);
      expect(await layerFiles(whole), name).toEqual(expected);
    }
    rmSync(join(whole.places.archive, 'cache', 'layers'), { recursive: true });
    await sync(whole);
    expect(await layerFiles(whole)).toEqual(expected);
  });

  it('of a large project are the same in steps as at once, with and without what is kept of its grouping', async () => {
    const things = ['basket', 'login', 'invoice', 'search', 'coupon', 'mail'];
    const steps = Array.from({ length: 1100 }, (_, n): Step => {
      const thing = things[(n >> 1) % things.length];
      return n % 2 === 0 ? { you: `Change the ${thing} page.` } : { agent: `Changed the ${thing} page.` };
    });
    const lines = workSession(ID(1), steps).split(/(?<=\n)/);
    const [whole, grown] = [world(), world()];
    put(whole, 1, lines.join(''));
    await sync(whole);
    const path = put(grown, 1, lines.slice(0, 1060).join(''));
    await sync(grown);
    const kept = join(grown.places.archive, 'cache', 'layers', `${PROJECT}.groups.json`);
    const before = readFileSync(kept, 'utf8');
    appendFileSync(path, lines.slice(1060).join(''));
    await sync(grown);
    expect(readFileSync(kept, 'utf8'), 'nothing was grouped anew').toBe(before);
    const expected = await layerFiles(whole);
    expect(await layerFiles(grown)).toEqual(expected);
    expect((await listConcepts(grown)).items.length).toBeGreaterThanOrEqual(things.length);
    for (const damaged of [before.slice(0, 999), before.replaceAll('"summary"', '"other"')]) {
      writeFileSync(kept, damaged);
      rmSync(grown.archive.files.path(PROJECT, 'memory/concepts.json'));
      await sync(grown);
      expect(await layerFiles(grown)).toEqual(expected);
    }
    rmSync(path);
    await unregister(grown, await whatToUnregister(grown, { session: ID(1) }), { purge: true });
    expect(existsSync(kept), 'it holds words of the session').toBe(false);
  });

  it('name the message of every source, and the topics of every session', async () => {
    const made = world();
    put(made, 1, workSession(ID(1), BASKET));
    await sync(made);
    const [rule] = (await listFacts(made, { kind: 'rule' })).items;
    expect(rule?.sources).toMatchObject([{ sessionId: ID(1), messageUuid: `${ID(1)}-0001` }]);
    const { items } = await listConcepts(made);
    expect((await topics(made))[ID(1)]).toEqual(items.map(({ name }) => name));
    const stored = JSON.parse((await layerFiles(made)).get('facts.json') ?? '');
    expect(factFileShape.safeParse(stored).success).toBe(true);
    expect(stored.stats).toEqual({ total_exchanges: 1, total_concepts: 1, last_updated: '2026-01-05' });
    expect(Object.keys(stored.keywords)).toContain('basket');
  });

  it('stay unchanged if a project changed in something else, and are rebuilt if a session grew', async () => {
    const made = world();
    put(made, 1, workSession(ID(1), BASKET));
    await sync(made);
    const path = made.archive.files.path(PROJECT, 'memory/concepts.json');
    const whole = readFileSync(path, 'utf8');
    const named = await topics(made);
    const marked = JSON.parse(whole);
    marked.concepts[0].summary = 'As it stands.';
    writeFileSync(path, JSON.stringify(marked));
    await made.archive.change(PROJECT, [{ at: [], merge: { displayName: 'Shop' } }]);
    expect((await updateLayers(made, PROJECT))?.concepts[0]?.summary).toBe('As it stands.');
    await made.archive.change(PROJECT, [
      { at: ['sessions', ID(1), 'metadata'], merge: { primaryTopics: ['Lost'] } },
    ]);
    await updateLayers(made, PROJECT);
    expect(await topics(made)).toEqual(named);
    put(made, 1, workSession(ID(1), [...BASKET, ...LOGIN]));
    await sync(made);
    expect(readFileSync(path, 'utf8')).not.toContain('As it stands.');
  });

  it('hold nothing of a purged session', async () => {
    const made = world();
    put(made, 1, workSession(ID(1), BASKET));
    const second = put(made, 2, workSession(ID(2), LOGIN, '2026-01-06'));
    await sync(made);
    rmSync(second);
    await unregister(made, await whatToUnregister(made, { session: ID(2) }), { purge: true });
    await sync(made);
    for (const text of (await layerFiles(made)).values()) expect(text).not.toContain('password');
  });
});

describe('facts', () => {
  it('that the user added, confirmed, corrected or forgot stay so when the layers are made again', async () => {
    const made = world();
    put(made, 1, workSession(ID(1), BASKET));
    put(made, 2, workSession(ID(2), LOGIN, '2026-01-06'));
    await sync(made);
    const [said] = (await listFacts(made, { kind: 'rule' })).items;
    const candidate = (await allFacts(made)).find(({ content }) => content.includes('inline styles'));
    const added = await addFact(made, { content: 'Deploy on Mondays only.', project: PROJECT });
    expect(added).toMatchObject({ kind: 'rule', confidence: 1, validatedByUser: true, sources: [] });
    await settleFact(made, candidate!.id, { action: 'confirm' });
    await settleFact(made, said!.id, { action: 'correct', content: 'Keep prices in whole cents.' });
    const contents = async () =>
      (await listFacts(made, { kind: 'rule' })).items.map(({ content }) => content).sort();
    const expected = [
      'Deploy on Mondays only.',
      'Keep prices in whole cents.',
      "Please don't use inline styles, it breaks the theme.",
    ];
    expect(await contents()).toEqual(expected);
    for (const file of ['facts.json', 'concepts.json'])
      rmSync(made.archive.files.path(PROJECT, `memory/${file}`));
    await layersBefore(made);
    expect(await contents()).toEqual(expected);
    await settleFact(made, said!.id, { action: 'forget' });
    rmSync(made.archive.files.path(PROJECT, 'memory/facts.json'));
    // Both manifests lost: what was decided is known by the history.
    await made.archive.fold(PROJECT);
    for (const name of ['manifest.json', 'manifest.prev.json', 'manifest.log'])
      rmSync(join(made.places.archive, 'projects', PROJECT, name), { force: true });
    await sync(made);
    expect(await contents()).toEqual([expected[0], expected[2]]);
    expect((await rulesFor(made, PROJECT)).map(({ content }) => content).sort()).toEqual([
      expected[0],
      expected[2],
    ]);
    await expect(findFact(made, said!.id)).rejects.toMatchObject({ code: 'not-found' });
    await addFact(made, { content: said!.content, project: PROJECT });
    expect(await contents(), 'said anew it is back').toHaveLength(3);
  });

  it("that an agent adds are its own, and no rule until the user confirms them; secrets don't get in", async () => {
    const made = world();
    put(made, 1, workSession(ID(1), BASKET));
    await sync(made);
    const token = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
    const fact = await addFact(made, {
      content: `Always deploy with ${token}.`,
      project: PROJECT,
      by: 'assistant',
    });
    expect(fact).toMatchObject({ kind: 'fact', source: 'assistant', confidence: 0.5 });
    expect(fact.content).not.toContain(token);
    expect((await rulesFor(made, PROJECT)).map(({ id }) => id)).not.toContain(fact.id);
    expect((await settleFact(made, fact.id, { action: 'confirm' })).after).toMatchObject({
      kind: 'rule',
      source: 'user',
    });
  });

  it('that the user says the opposite of wait for a review, and nothing obeys them until then', async () => {
    const made = world();
    put(
      made,
      1,
      workSession(ID(1), [{ you: 'From now on always indent code with tabs.' }, { agent: 'Yes.' }]),
    );
    await sync(made);
    const rules = async () => (await rulesFor(made, PROJECT)).map(({ content }) => content);
    expect(await rules()).toEqual([expect.stringContaining('tabs')]);
    put(
      made,
      2,
      workSession(
        ID(2),
        [{ you: "Please don't indent code with tabs." }, { agent: 'Spaces it is.' }],
        '2026-04-02',
      ),
    );
    await sync(made);
    const [waiting] = (await listFacts(made, { review: true })).items;
    expect(waiting).toMatchObject({ kind: 'rule', contradictions: 1 });
    expect((await rules()).join()).not.toContain('always indent');
    await settleFact(made, waiting!.id, { action: 'keep' });
    expect((await rules()).join()).toContain('always indent');
  });

  it('are up for review after five contradictions, until somebody settles it', async () => {
    const made = world();
    put(made, 1, workSession(ID(1), BASKET));
    await sync(made);
    const [rule] = (await listFacts(made, { kind: 'rule' })).items;
    for (let time = 0; time < 5; time++)
      await settleFact(made, rule!.id, { action: 'contradict', note: `seen ${time}` }, { by: 'assistant' });
    expect((await listFacts(made, { review: true })).items).toMatchObject([
      { id: rule!.id, contradictions: 5 },
    ]);
    await settleFact(made, rule!.id, { action: 'keep' });
    expect((await listFacts(made, { review: true })).items).toEqual([]);
    expect(await findFact(made, rule!.id)).toMatchObject({ contradictions: 0, confidence: 1 });
  });

  it('and concepts whose files are gone, or whose lines changed, are flagged and stay', async () => {
    const made = world();
    const shop = join(made.places.home, 'shop');
    mkdirSync(join(shop, 'src'), { recursive: true });
    writeFileSync(join(shop, 'src/basket.ts'), 'one\ntwo\nthree\n');
    const steps: Step[] = [
      { you: 'Remember that src/basket.ts:2 must stay first.' },
      { edit: 'src/basket.ts' },
      { agent: 'The basket stays.' },
    ];
    const path = join(made.projects, 'shop', `${ID(1)}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, workSession(ID(1), steps, '2026-01-05', shop));
    await sync(made);
    const state = async () => [
      (await listFacts(made)).items[0]?.stale,
      (await listConcepts(made)).items[0]?.stale,
    ];
    expect(await state()).toEqual([undefined, undefined]);
    writeFileSync(join(shop, 'src/basket.ts'), 'one\nother\nthree\n');
    expect(await state()).toEqual(['src/basket.ts:2 changed', undefined]);
    rmSync(join(shop, 'src/basket.ts'));
    expect(await state()).toEqual(['src/basket.ts is gone', 'src/basket.ts is gone']);
    rmSync(shop, { recursive: true });
    expect(await state(), 'a checkout that is not here says nothing').toEqual([undefined, undefined]);
  });
});

describe('concepts', () => {
  it('that the user merged, split or renamed stay so when the layers are made again', async () => {
    const made = world();
    put(made, 1, workSession(ID(1), BASKET));
    put(made, 2, workSession(ID(2), LOGIN, '2026-01-06'));
    await sync(made);
    const names = async () =>
      (await listConcepts(made)).items.map(({ name, exchanges }) => [name, exchanges.length]);
    const before = (await listConcepts(made)).items;
    expect(before.length).toBeGreaterThan(1);
    const merged = await mergeConcepts(
      made,
      before.map(({ id }) => id),
      { name: 'The whole shop' },
    );
    expect(await names()).toEqual([['The whole shop', 3]]);
    await splitConcept(made, merged.id, [merged.exchanges[0]!], { name: 'Basket' });
    await renameConcept(made, 'The whole shop', 'Signing in');
    rmSync(made.archive.files.path(PROJECT, 'memory/concepts.json'));
    await layersBefore(made, PROJECT);
    expect(await names()).toEqual([
      ['Signing in', 2],
      ['Basket', 1],
    ]);
    await expect(renameConcept(made, 'Basket', 'signing in')).rejects.toMatchObject({ code: 'conflict' });
  });
});
