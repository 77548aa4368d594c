import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { FactFile, Rule } from '../../core/model/fact.ts';
import { type ProjectId, sanitizePath } from '../../core/model/ids.ts';
import { LAYERS_ENGINE } from '../../core/model/layers-engine.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { hashOfBlock } from '../../core/rolling/memory-blocks.ts';
import { placedEntries } from '../../core/rolling/placed-entries.ts';
import { allFacts } from '../layers/facts.ts';
import { settleFact } from '../layers/facts-edit.ts';
import { enterProject, leaveProject, planInit } from '../maintenance/init.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { searchMemory } from '../search/rolling.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { putAway } from './archive.ts';
import { checkMemory, resetCounter, rotateMemory } from './check.ts';
import { migrateLegacy } from './legacy.ts';
import { getNote, listMemory, setNote } from './notes.ts';
import { dedupeRefined, refineAll } from './refine.ts';
import { readDelta, readRollingState, writeDelta, writeState } from './state.ts';
import { memoryTexts } from './texts.ts';
import { updateMemory } from './update.ts';

const ONE = '11111111-aaaa-4aaa-8aaa-000000000001';
const TWO = '22222222-bbbb-4bbb-8bbb-000000000002';
let world: TestWorld;
let app: string;
let project: ProjectId;

beforeEach(async () => {
  world = makeWorld();
  app = join(world.places.home, 'app');
  mkdirSync(app);
  world.places.cwd = app;
  project = sanitizePath(app);
  await talk(ONE, [
    { you: 'Keep the basket prices in cents.', agent: 'The basket keeps cents because rounding lost money.' },
  ]);
});
afterEach(() => world.remove());

async function talk(id: string, turns: Turn[]): Promise<void> {
  const file = join(world.projects, `${id}.jsonl`);
  writeFileSync(file, transcript(app, id, turns));
  // Not a sync: that would bring memory.md up, too.
  await register(world, file);
}
const read = async (name: string) =>
  String((await world.archive.files.read(project, `memory/${name}`)) ?? '');
const write = (name: string, text: string) => world.archive.files.write(project, `memory/${name}`, text);
const names = () => world.archive.files.list(project, 'memory');

describe('memory.md', () => {
  test('a note of what is on its way goes when it got there, also after a kill in between', async () => {
    const { files } = world.archive;
    const remove = files.remove;
    files.remove = async (of, name) => {
      if (name.endsWith('delta.json')) throw new Error('killed');
      return remove(of, name);
    };
    await expect(updateMemory(world, project)).rejects.toThrow('killed');
    files.remove = remove;
    expect(await readDelta(world, project)).toBeDefined();
    await updateMemory(world, project);
    expect(await readDelta(world, project)).toBeUndefined();
    const other = { 'a session 1': 'a hash' };
    await writeDelta(world, project, { written: other });
    await updateMemory(world, project);
    expect(await readDelta(world, project)).toEqual({ written: other });
  });

  test('adds new content once, and keeps what a person wrote', async () => {
    expect(await updateMemory(world, project)).toEqual({ added: 1, rotated: [] });
    expect(await updateMemory(world, project)).toEqual({ added: 0, rotated: [] });
    await write('memory.md', `My own words.\n${await read('memory.md')}`);
    await talk(ONE, [
      {
        you: 'Keep the basket prices in cents.',
        agent: 'The basket keeps cents because rounding lost money.',
      },
      { you: 'Write the coupon form now.', agent: 'The coupon form is written.' },
    ]);
    await talk(TWO, [{ you: 'Deploy the shop on Fridays only.' }]);
    expect(await updateMemory(world, project, { session: TWO })).toMatchObject({ added: 1 });
    expect(await updateMemory(world, project)).toMatchObject({ added: 1 });
    const memory = await read('memory.md');
    expect(memory.startsWith('My own words.\n')).toBe(true);
    // What grew goes on in its entry, and entries are in the order of time.
    expect(memory.match(/session \w+ lines \S+/g)).toEqual([
      'session 22222222 lines 1-1',
      'session 11111111 lines 1-4',
    ]);
    expect(memory.match(/Keep the basket/g)).toHaveLength(1);
    expect(await names()).toEqual(
      expect.arrayContaining(['architecture.md', 'conventions.md', 'project.md']),
    );
  });

  test('entries that an earlier version wrote are written again, unless a person changed them', async () => {
    await talk(TWO, [{ you: 'Deploy the shop on Fridays only.' }]);
    await updateMemory(world, project);
    const now = await read('memory.md');
    const older = now.replaceAll('\n- ', '\n- said: As it was written before.\n- ');
    await write('memory.md', older.replace('Fridays', 'Sundays'));
    const state = await readRollingState(world, project);
    const written = Object.fromEntries(placedEntries(older).map(({ key, text }) => [key, hashOfBlock(text)]));
    const sessions = Object.fromEntries(
      Object.entries(state.sessions).map(([id, cursor]) => [id, { ...cursor, of: 'of an earlier version' }]),
    );
    await writeState(world, project, { ...state, written, sessions });
    await updateMemory(world, project);
    const after = await read('memory.md');
    expect(after.match(/As it was written before/g)).toHaveLength(1);
    expect(after).toContain('Sundays');
    expect(after).toContain('\n- decision: "Keep the basket prices');
    await updateMemory(world, project);
    expect(await read('memory.md')).toBe(after);
  });

  test('waits for the interval, counts from 0 again, and waits no longer on request', async () => {
    await world.settings.writeGlobal(() => ({ memory: { interval: 3 } }));
    expect(await checkMemory(world, project)).toEqual({ counter: 1, interval: 3 });
    await resetCounter(world, project);
    expect(await checkMemory(world, project)).toMatchObject({ counter: 1 });
    expect(await checkMemory(world, project)).toEqual({ counter: 2, interval: 3 });
    expect(await checkMemory(world, project)).toMatchObject({ counter: 0, added: 1 });
    expect(await checkMemory(world, project, { now: true })).toMatchObject({ counter: 0, added: 0 });
    const index = JSON.parse(await read('memory-index.json'));
    expect(index).toMatchObject({ counter: 0, lastMemoryUpdateTs: '2026-01-05T10:00:00Z' });
  });

  test('that grew too long is archived with its summary, and continues with its end', async () => {
    await updateMemory(world, project);
    await write(
      'memory.md',
      `${await read('memory.md')}${'Words of a person that fill it up. '.repeat(4000)}\n`,
    );
    await talk(TWO, [{ you: 'Deploy the shop on Fridays only.' }]);
    const { rotated } = await updateMemory(world, project);
    expect(rotated).toHaveLength(1);
    const index = JSON.parse(await read('memory-index.json'));
    expect(index.rotatedFiles).toEqual([
      {
        file: rotated[0],
        rotatedAt: expect.stringMatching(/^2026-06-01T/),
        tokenCount: expect.any(Number),
        summary: rotated[0]!.replace('.md', '.summary.json'),
        summaryGenerated: true,
      },
    ]);
    expect(JSON.parse(await read(index.rotatedFiles[0].summary))).toMatchObject({ sourceFile: rotated[0] });
    expect(await read('memory.md')).toContain('Fridays');
    expect((await world.archive.history(project)).at(-1)?.note).toContain(rotated[0]);
  });

  test('a rotation that was cut off is finished, whatever was added after it', async () => {
    await updateMemory(world, project);
    const before = await read('memory.md');
    await write('memory_20260101_000000.md', before);
    await write('memory.md', `${before}\nAdded by hand.\n`);
    await updateMemory(world, project);
    const memory = await read('memory.md');
    expect(memory).toContain('carried over from memory_20260101_000000.md');
    expect([memory.match(/lines 1-2/g)?.length, memory.endsWith('Added by hand.\n')]).toEqual([1, true]);
    expect(JSON.parse(await read('memory-index.json')).rotatedFiles).toHaveLength(1);
  });

  test('entries whose place was lost are distinguished by their headings', async () => {
    await updateMemory(world, project);
    await world.archive.files.remove(project, 'rolling/state.json');
    await write('memory-index.json', '{"lastMemoryUpdateTs": null}');
    expect(await updateMemory(world, project)).toMatchObject({ added: 0 });
  });

  test('a damaged index is kept aside, and its fields continue', async () => {
    await write('memory-index.json', '{"counter": 7, "future": "kept",');
    await checkMemory(world, project);
    expect(JSON.parse(await read('memory-index.json'))).toMatchObject({ counter: 8, future: 'kept' });
    const broken = (await names()).find((name) => name.includes('broken'))!;
    expect(await read(broken)).toBe('{"counter": 7, "future": "kept",');
  });

  test('what came from a purged session is gone, from its archives and their summaries, too', async () => {
    await talk(TWO, [{ you: 'Deploy the shop on Fridays only.' }]);
    await updateMemory(world, project);
    const [archive] = await rotateMemory(world, project, true);
    await unregister(world, await whatToUnregister(world, { session: TWO }), { purge: true });
    for (const name of await names()) expect(await read(name), name).not.toContain('Friday');
    expect(await read(archive!)).toContain('cents');
    await sync(world);
    expect(await updateMemory(world, project)).toMatchObject({ added: 0 });
  });

  test('what the user forgets or corrects as a fact leaves it, its archives and their summaries', async () => {
    await talk(TWO, [
      {
        you: 'We should deploy the shop on Fridays only, since the stock is counted then.',
        agent: 'Fridays it is.',
      },
    ]);
    await sync(world);
    const [archive] = await rotateMemory(world, project, true);
    const fact = (await allFacts(world)).find(({ content }) => content.includes('Fridays'))!;
    await settleFact(world, fact.id, { action: 'correct', content: 'Deploys are on Mondays.' });
    await sync(world);
    for (const name of ['memory.md', archive!, archive!.replace('.md', '.summary.json')]) {
      expect(await read(name), name).not.toContain('the stock is counted');
      if (name !== 'memory.md') expect(await read(name), name).toContain('Mondays');
    }
  });

  test('made too long by hand, it is archived although nothing is new', async () => {
    await sync(world);
    await write(
      'memory.md',
      `${await read('memory.md')}${'Words of a person that fill it up. '.repeat(4000)}\n`,
    );
    await sync(world);
    expect((await names()).filter((name) => /^memory_.*\.md$/.test(name))).toHaveLength(1);
  });

  test('old archives are stored away, still found, and restored', async () => {
    await write('memory_20260101_000000.md', '## 2026-01-01_0000\n- user: The zebra crossing was painted.\n');
    await write('memory_20260531_000000.md', '## 2026-05-31_0000\n- user: Yesterday.\n');
    expect(await putAway(world, project)).toEqual(['memory_20260101_000000.md']);
    expect(await names()).toContain('archive/memory_20260101_000000.md');
    await updateMemory(world, project);
    const { hits } = await searchMemory(world, { query: 'zebra', projects: [project] });
    expect(hits.map((it) => it.kind)).toContain('archive');
    expect(await putAway(world, project, { undo: true })).toEqual(['memory_20260101_000000.md']);
    expect(await read('memory_20260101_000000.md')).toContain('zebra');
  });
});

describe('notes, search and care', () => {
  test('a note is written, added to, read and listed; a template is no memory', async () => {
    await updateMemory(world, project);
    expect(await getNote(world, project, 'project')).toMatchObject({ written: false });
    expect((await memoryTexts(world, project)).some((it) => it.kind === 'note')).toBe(false);
    await setNote(world, project, { name: 'project', text: 'A shop for tea.' });
    await setNote(world, project, { name: 'project.md', text: 'Prices are in cents.', append: true });
    expect(await getNote(world, project, 'project')).toMatchObject({
      text: 'A shop for tea.\nPrices are in cents.\n',
    });
    expect((await listMemory(world, project)).find((it) => it.name === 'project.md')).not.toHaveProperty(
      'unwritten',
    );
    const { hits } = await searchMemory(world, { query: 'tea', projects: [project] });
    expect(hits[0]).toMatchObject({ kind: 'note', file: 'memory/project.md' });
    await expect(setNote(world, project, { name: '../x', text: 'y' })).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(getNote(world, project, '../../manifest.json')).rejects.toMatchObject({ code: 'usage' });
  });

  test('search finds entries with their place, and with deep the turns themselves', async () => {
    await updateMemory(world, project);
    const { hits, sessions } = await searchMemory(world, {
      query: 'rounding',
      projects: [project],
      deep: true,
    });
    expect(hits.find((it) => it.kind === 'memory')?.source).toEqual({ session: '11111111', lines: [1, 2] });
    expect(sessions[0]?.sessionId).toBe(ONE);
    const none = await searchMemory(world, { query: 'rounding -cents', projects: [project] });
    expect(none.hits).toEqual([]);
  });

  test('refined again from the originals, every byte is the same; a second file of a session goes', async () => {
    const [file] = (await names()).filter((name) => name.endsWith('.l1.jsonl'));
    const before = await read(file!);
    await write(file!, 'damaged');
    await write('sessions/2026-01-05_0959_11111111.l1.jsonl', before);
    await write('sessions/2026-01-05_0958_11111111.l1.jsonl', 'other');
    expect(await refineAll(world, project)).toMatchObject({ sessions: 1, missing: [] });
    expect(await read(file!)).toBe(before);
    expect(await dedupeRefined(world, project)).toEqual({
      removed: ['memory/sessions/2026-01-05_0959_11111111.l1.jsonl'],
      aside: ['aside/2026-01-05_0958_11111111.l1.jsonl'],
    });
    expect((await names()).filter((name) => name.endsWith('.l1.jsonl'))).toEqual([file]);
  });

  test('memory of an older plugin is taken over once, split and dated, and stays where it is', async () => {
    const old = join(app, '.claude', 'memory');
    mkdirSync(join(old, 'sessions'), { recursive: true });
    const entry = (n: number) => `## 2026-01-${n}_0830\n${'Words that fill it. '.repeat(1500)}\n`;
    writeFileSync(join(old, 'memory.md'), [10, 11, 12, 13, 14, 15, 16].map(entry).join(''));
    writeFileSync(join(old, 'project.md'), 'An old shop.');
    writeFileSync(join(old, 'sessions', 'x.l1.jsonl'), '{}\n');
    const done = await migrateLegacy(world, project);
    expect(done).toMatchObject({ from: old, headings: 7, sessions: 1 });
    expect(done.written).toEqual(expect.arrayContaining(['memory.md', 'project.md']));
    const whole = (await Promise.all(done.written.filter((it) => /^memory_/.test(it)).map(read))).join('');
    expect((whole + (await read('memory.md'))).match(/^## .*\(local /gm)).toHaveLength(7);
    expect(String(await world.archive.files.read(project, `${done.aside}/project.md`))).toBe('An old shop.');
    expect(readFileSync(join(old, 'memory.md'), 'utf8')).toContain('## 2026-01-10_0830\n');
    expect((await migrateLegacy(world, project)).written).toEqual([]);
  });
});

describe('CLAUDE.md', () => {
  test('is touched only where it is turned on, and is as it was when it is turned off', async () => {
    const file = join(app, 'CLAUDE.md');
    writeFileSync(file, 'My rules\r\n');
    expect(await checkMemory(world, project, { now: true })).not.toHaveProperty('claudeMd');
    await world.settings.writeGlobal(() => ({ memory: { claudeMd: true } }));
    await write('facts.json', JSON.stringify(factsWith('Always use tabs.')));
    expect(await checkMemory(world, project, { now: true })).toMatchObject({
      claudeMd: { status: 'written' },
    });
    expect(readFileSync(file, 'utf8')).toMatch(
      /^My rules\r\n<!-- keepsake:begin -->\r\n[\s\S]*- Always use tabs\./,
    );
    expect(await checkMemory(world, project, { now: true })).toMatchObject({ claudeMd: { status: 'same' } });
    await world.settings.writeGlobal(() => ({}));
    expect(await checkMemory(world, project, { now: true })).toMatchObject({
      claudeMd: { status: 'removed' },
    });
    expect(readFileSync(file, 'utf8')).toBe('My rules\r\n');
  });

  test('with broken marks is left unchanged, with a reason', async () => {
    writeFileSync(join(app, 'CLAUDE.md'), '<!-- keepsake:begin -->\nno end\n');
    await world.settings.writeGlobal(() => ({ memory: { claudeMd: true } }));
    expect(await checkMemory(world, project, { now: true })).toMatchObject({
      added: 1,
      claudeMd: { status: 'refused', reason: expect.stringContaining('was not changed') },
    });
    expect(readFileSync(join(app, 'CLAUDE.md'), 'utf8')).toBe('<!-- keepsake:begin -->\nno end\n');
  });
});

describe('opting in', () => {
  test('memory continues in the project, and comes back; a sync restores what is deleted there', async () => {
    await updateMemory(world, project);
    await enterProject(world, await planInit(world, app));
    const placed = join(app, '.claude', 'memory');
    expect(readFileSync(join(placed, 'memory.md'), 'utf8')).toContain('cents');
    rmSync(join(placed, 'sessions'), { recursive: true });
    await sync(world);
    expect(readdirSync(join(placed, 'sessions')).some((name) => name.endsWith('.l1.jsonl'))).toBe(true);
    await talk(TWO, [{ you: 'Deploy the shop on Fridays only.' }]);
    await updateMemory(world, project);
    expect(readFileSync(join(placed, 'memory.md'), 'utf8')).toContain('Fridays');
    await leaveProject(world, await planInit(world, app));
    expect(readdirSync(app)).toEqual([]);
    expect(await read('memory.md')).toContain('Fridays');
    expect(await updateMemory(world, project)).toMatchObject({ added: 0 });
  });

  test('a folder without sessions becomes a project; the home folder and strange memory are refused', async () => {
    const fresh = join(world.places.home, 'fresh');
    mkdirSync(join(fresh, '.claude', 'memory'), { recursive: true });
    writeFileSync(join(fresh, '.claude', 'memory', 'memory.md'), 'planted');
    const plan = await planInit(world, fresh);
    expect(plan).toMatchObject({ known: false, found: { ours: false, files: ['memory.md'] } });
    await expect(enterProject(world, plan)).rejects.toMatchObject({ code: 'conflict' });
    expect(await memoryTexts(world, plan.project)).toEqual([]);
    await enterProject(world, await planInit(world, fresh), { approve: true });
    expect((await memoryTexts(world, plan.project)).map((it) => it.text)).toEqual(['planted']);
    world.places.claude = join(world.places.home, '.claude');
    await expect(planInit(world, world.places.home)).rejects.toMatchObject({ code: 'usage' });
  });
});

/** facts.json with one rule of the user. */
function factsWith(content: string): FactFile {
  const rule: Rule = {
    id: 'r1',
    content,
    source: 'user',
    confidence: 1,
    contradictions: 0,
    last_validated: '2026-01-05T10:00:00.000Z',
    validatedByUser: false,
    sources: [],
    against: [],
  };
  return {
    engine: LAYERS_ENGINE,
    refined: REFINE_ENGINE,
    keywords: {},
    permanent: { rules: [rule], solutions: [], core_logic: [], semantic: [] },
    candidates: [],
    reviews: [],
    stats: { total_exchanges: 0, total_concepts: 0, last_updated: '' },
  };
}
