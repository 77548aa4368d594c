import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { archiveTree } from '../../../test/made/archive-tree.ts';
import { type Step, workSession } from '../../../test/made/work.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { newProjectChange } from '../../core/model/change.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Bundles } from '../../ports/bundles.ts';
import { compose } from '../compose/compose.ts';
import { compressSession } from '../compress/compress.ts';
import { claimJournal, inspectJournal } from '../journal/place.ts';
import { addKeepit, setKeepit } from '../keepit/change.ts';
import { listKeepits } from '../keepit/keepits.ts';
import { allFacts } from '../layers/facts.ts';
import { addFact, settleFact } from '../layers/facts-edit.ts';
import { verify } from '../maintenance/verify.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { exportBundle } from './export.ts';
import { type ImportBundleOptions, importBundle } from './import.ts';

const PROJECT = '-srv-shop' as ProjectId;
const SECRET = `AK${'IA'}QWERTYUIOPASDF23`;
const STEPS: Step[] = [
  { you: 'From now on always use pnpm in this project. ##keepit0.50## Prices are in cents.' },
  { run: 'pnpm test', fails: 'AssertionError: 9.99' },
  { edit: 'src/cart.ts', from: 'round(round(x))', to: 'round(x)' },
  { run: 'pnpm test' },
  { agent: `The total is rounded once now. The key was ${SECRET}.` },
  { you: 'Good. Remember that the tax comes last.' },
  { agent: 'The tax is added after the discount, in src/cart.ts.' },
];
const worlds: TestWorld[] = [];
let base: TestWorld;

function world(): TestWorld {
  const made = makeWorld();
  worlds.push(made);
  return made;
}

beforeAll(async () => {
  base = await shop();
  worlds.splice(0);
});
afterAll(() => base.remove());

afterEach(async () => {
  for (const made of worlds.splice(0)) await made.remove();
});

function write(made: TestWorld, id: string, steps: Step[] = STEPS): void {
  mkdirSync(join(made.projects, PROJECT), { recursive: true });
  writeFileSync(join(made.projects, PROJECT, `${id}.jsonl`), workSession(id, steps));
}

/** A project with a session, a version, a composition, an edited keepit, a confirmed fact. */
async function shop(): Promise<TestWorld> {
  const made = world();
  write(made, 'one');
  await sync(made);
  const [marker] = (await manifest(made)).sessions.one!.keepitMarkers;
  await setKeepit(made, marker!.markerId, 0.9);
  await compressSession(made, { project: PROJECT, session: 'one' as SessionId }, { preset: 'standard' });
  await compose(made, 'all', { budget: 4000, sessions: ['one'] });
  const fact = (await allFacts(made)).find(({ content }) => content.includes('pnpm'));
  await settleFact(made, fact!.id, { action: 'confirm' });
  await addFact(made, { content: 'Deploys happen on Tuesdays.', project: PROJECT });
  await sync(made);
  return made;
}

async function manifest(made: TestWorld): Promise<Manifest> {
  return (await made.archive.open(PROJECT))!.manifest;
}

/** Between archives of one user. */
const bring = (made: World, file: string, options: ImportBundleOptions = {}) =>
  importBundle(made, file, { mine: true, ...options });

const fileOf = (made: TestWorld) => join(made.places.home, 'out.keepsake.gz');

async function exported(made: TestWorld, request = {}): Promise<string> {
  const out = fileOf(made);
  await exportBundle(made, { out, project: PROJECT, force: true, ...request });
  return out;
}

describe('export and import', () => {
  it('bring a project over whole: every promise holds there, too, and what is derived is the same', async () => {
    const from = base;
    const file = await exported(from, { secrets: true });
    const to = world();
    const done = await bring(to, file);
    expect(done.projects).toMatchObject([
      { isNew: true, sessions: { added: 1 }, versions: 1, compositions: 1, overlays: 1 },
    ]);
    expect((await verify(to)).problems).toEqual([]);
    const [here, there] = [archiveTree(from.archive.root), archiveTree(to.archive.root)];
    const derived = Object.keys(here).filter((name) =>
      /originals|memory\/|summaries.*part|composed/.test(name),
    );
    for (const name of derived.filter(
      (it) => !/(?:project|architecture|conventions|workflow|lessons)\.md$/.test(it),
    ))
      expect([name, there[name]]).toEqual([name, here[name]]);
    const [mine, theirs] = [await manifest(to), await manifest(from)];
    for (const key of ['overlays', 'factEdits', 'parts'] as const) expect(mine[key]).toEqual(theirs[key]);
    expect(Object.keys(mine.compositions)).toEqual(['all']);
  });

  it('change nothing the second time, nor in a dry run, nor where it all comes from', async () => {
    const from = base;
    const file = await exported(from);
    const to = world();
    const empty = archiveTree(to.archive.root.replace(/archive$/, ''));
    await bring(to, file, { dryRun: true });
    expect(archiveTree(to.archive.root.replace(/archive$/, ''))).toEqual(empty);
    await bring(to, file);
    for (const made of [to, from]) {
      const before = archiveTree(made.archive.root);
      const { projects } = await bring(made, file);
      expect(projects[0]).toMatchObject({
        sessions: { added: 0, known: 1 },
        versions: 0,
        compositions: 0,
        overlays: 0,
        facts: 0,
      });
      expect(archiveTree(made.archive.root)).toEqual(before);
    }
  });

  it('mask secrets unless asked, and versions stay good', async () => {
    const from = base;
    const text = gunzipSync(readFileSync(await exported(from))).toString();
    expect(text).not.toContain(SECRET);
    const to = world();
    await bring(to, fileOf(from));
    expect((await verify(to)).problems).toEqual([]);
    expect((await manifest(to)).sessions.one!.compressions).toHaveLength(1);
    const whole = gunzipSync(readFileSync(await exported(from, { secrets: true }))).toString();
    expect(whole).toContain(SECRET);
  });

  it('keep our own bytes where the other copy is masked, and take what it has beyond them', async () => {
    const from = world();
    write(from, 'one', [...STEPS, { you: 'And now the invoice.' }, { agent: 'Written.' }]);
    await sync(from);
    const to = world();
    write(to, 'one');
    await sync(to);
    await bring(to, await exported(from));
    const copy = readFileSync(to.archive.originals.path(PROJECT, 'one.jsonl'), 'utf8');
    expect(copy).toBe(readFileSync(from.archive.originals.path(PROJECT, 'one.jsonl'), 'utf8'));
    expect((await verify(to)).problems).toEqual([]);
  });

  it('lose neither side: edits of both count, the later last, whichever way they are brought together', async () => {
    const [a, b] = [world(), world()];
    for (const made of [a, b]) await bring(made, await exported(base));
    const [marker] = (await manifest(a)).sessions.one!.keepitMarkers;
    await setKeepit(a, marker!.markerId, 0.2);
    for (let tick = 0; tick < 500; tick++) b.clock.now();
    await setKeepit(b, marker!.markerId, 0.7);
    await addKeepit(b, 'one', { text: 'The tax is added after the discount', weight: 0.8 });
    await addFact(b, { content: 'Invoices are numbered by year.', project: PROJECT });
    await bring(b, await exported(a));
    await bring(a, await exported(b));
    const [mine, theirs] = [await manifest(a), await manifest(b)];
    expect(mine.overlays.map((it) => it.overlayId).sort()).toEqual(
      theirs.overlays.map((it) => it.overlayId).sort(),
    );
    for (const made of [a, b]) {
      const { items } = await listKeepits(made, { project: PROJECT });
      expect(items.find((it) => it.markerId === marker!.markerId)).toMatchObject({ weight: 0.7 });
      expect(await allFacts(made)).toEqual(
        expect.arrayContaining([expect.objectContaining({ content: 'Invoices are numbered by year.' })]),
      );
    }
  });

  it('keep out what was purged here, and report it to the other side', async () => {
    const from = world();
    const file = await exported(base);
    await bring(from, file);
    await unregister(from, await whatToUnregister(from, { session: 'one' }), { purge: true, force: true });
    const { projects } = await bring(from, file);
    expect(projects[0]!.sessions).toEqual({ added: 0, known: 0, purged: 1 });
    expect((await manifest(from)).sessions).toEqual({});
    const to = world();
    await bring(to, await exported(from));
    expect((await manifest(to)).tombstones).toMatchObject([{ kind: 'session', id: 'one' }]);
  });

  it('bring no entry of rolling memory back that is of a session purged here', async () => {
    const memoryOf = async (made: World) =>
      (await made.archive.files.read(PROJECT, 'memory/memory.md'))?.toString() ?? '';
    expect(await memoryOf(base)).toContain('session one');
    const made = world();
    write(made, 'one', [{ you: 'Hello.' }, { agent: 'Hello.' }]);
    await sync(made);
    await unregister(made, await whatToUnregister(made, { session: 'one' }), { purge: true, force: true });
    await bring(made, await exported(base));
    expect(await memoryOf(made)).not.toContain('session one');
  });

  it('give a composition or a version whose name is taken the next one', async () => {
    const [a, b] = [base, { ...world(), random: { uuid: randomUUID } }];
    write(b, 'one');
    await sync(b);
    await compressSession(b, { project: PROJECT, session: 'one' as SessionId }, { ratio: 2 });
    await compose(b, 'all', { budget: 3000, sessions: ['one'] });
    await bring(b, await exported(a));
    const { compositions, sessions } = await manifest(b);
    expect(Object.keys(compositions).sort()).toEqual(['all', 'all-2']);
    expect(sessions.one!.compressions.map((it) => it.versionId)).toEqual(['part1_v001', 'part1_v002']);
    expect((await verify(b)).problems).toEqual([]);
  });

  it('finish with the next sync what was cut off anywhere', async () => {
    const file = await exported(base);
    for (const lines of [2, 9]) {
      const to = world();
      const dying = { ...to, bundles: cutOff(to.bundles!, lines) };
      await expect(bring(dying, file)).rejects.toThrow('killed');
      const { notes } = await sync(to);
      expect(notes[0]).toContain('Finished the interrupted import');
      expect((await verify(to)).problems).toEqual([]);
      const { overlays, factEdits, sessions } = await manifest(to);
      expect([overlays.length, factEdits!.length, Object.keys(sessions)]).toEqual([1, 2, ['one']]);
    }
  });

  it('find the project by its git remote if the checkout is elsewhere', async () => {
    const [from, to] = [world(), world()];
    const gitRemote = 'git@example.org:shop.git';
    await bring(from, await exported(base));
    await from.archive.change(PROJECT, [{ at: [], merge: { gitRemote } }]);
    const elsewhere = '-home-ada-shop' as ProjectId;
    const here = { projectId: elsewhere, originalPath: '/home/ada/shop', displayName: 'shop', createdAt: '' };
    const repository = { identity: 'example.org/shop', from: 'origin' as const };
    await to.archive.change(elsewhere, [newProjectChange({ ...here, repository })]);
    await bring(to, await exported(from));
    expect(await to.archive.projects()).toEqual([elsewhere]);
    expect(Object.keys((await to.archive.open(elsewhere))!.manifest.sessions)).toEqual(['one']);
    expect((await verify(to)).problems).toEqual([]);
  });

  it('keep pages of the journal waiting until they may be put into the project', async () => {
    const [from, to] = [world(), world()];
    for (const made of [from, to]) {
      const root = join(made.places.home, 'shop');
      mkdirSync(root, { recursive: true });
      await bring(made, await exported(base));
      await made.archive.change(PROJECT, [{ at: [], merge: { originalPath: root } }]);
    }
    const root = join(from.places.home, 'shop');
    await claimJournal(from, await inspectJournal(from, { project: PROJECT, root, known: true }));
    await from.projectFiles.write(root, '_memory/conversations/one.md', '# The cart\n');
    const file = await exported(from);
    const page = join(to.places.home, 'shop', '_memory', 'conversations', 'one.md');
    const { notes } = await bring(to, file, { project: PROJECT });
    expect([notes.join(), existsSync(page)]).toEqual([expect.stringContaining('were saved in'), false]);
    await bring(to, file, { project: PROJECT, journal: true });
    expect(readFileSync(page, 'utf8')).toBe('# The cart\n');
  });

  it('take along what was learned without the sessions', async () => {
    const to = world();
    await bring(to, await exported(base, { template: true }));
    expect((await manifest(to)).sessions).toEqual({});
    const facts = (await allFacts(to)).map(({ content }) => content);
    expect(facts).toEqual(
      expect.arrayContaining([expect.stringContaining('pnpm'), 'Deploys happen on Tuesdays.']),
    );
  });
});

/** Reads the bundle well the first times, and dies in the midst of putting it in. */
function cutOff(bundles: Bundles, after: number): Bundles {
  let reads = 0;
  return {
    ...bundles,
    async *read(...asked) {
      reads++;
      let line = 0;
      for await (const text of bundles.read(...asked)) {
        if (reads === 2 && line++ === after) throw new Error('killed');
        yield text;
      }
    },
  };
}
