import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { toProjectId, toSessionId } from '../../core/model/ids.ts';
import { compose } from '../compose/compose.ts';
import { compressSession } from '../compress/compress.ts';
import { readVersion } from '../compress/version-files.ts';
import { readL1 } from '../find/read-l1.ts';
import { rulesFor } from '../find/rules.ts';
import { allSessions } from '../find/sessions.ts';
import { JOURNAL_RECORD } from '../journal/place.ts';
import { allFacts } from '../layers/facts.ts';
import { addFact } from '../layers/facts-edit.ts';
import { addToOpen, readLeaving, readOpen, writeLeaving } from '../purge/open-purge.ts';
import { readStored } from '../read-stored.ts';
import { mayBegin, readRun, readSteps } from '../retention/record.ts';
import { runRetention } from '../retention/run.ts';
import { readDelta, readRollingState, writeDelta } from '../rolling/state.ts';
import { search } from '../search/search.ts';
import { register } from '../sync/register.ts';
import { loadHookSession, saveHookSession } from '../sync/running-session.ts';
import { sync } from '../sync/sync.ts';
import { damagedFiles } from './stored-files.ts';
import { verify } from './verify.ts';

const PROJECT = toProjectId('-srv-shop');
const ONE = toSessionId('one');
const REF = { project: PROJECT, session: ONE };
let world: TestWorld;
let [reported, logged]: [string[], string[]] = [[], []];

beforeEach(async () => {
  [reported, logged] = [[], []];
  world = Object.assign(makeWorld(), {
    report: (note: string) => void reported.push(note),
    log: (note: string) => void logged.push(note),
  });
  const folder = join(world.projects, PROJECT);
  mkdirSync(folder, { recursive: true });
  const turns = Array.from({ length: 6 }, (_, n) => ({
    you: `Question ${n}: from now on always install packages with pnpm, number ${n}.`,
    agent: `Detail ${n}: ${'the basket counts what it holds, '.repeat(20)}number ${n}.`,
  }));
  writeFileSync(join(folder, 'one.jsonl'), transcript('/srv/shop', 'one', turns));
  await sync(world);
});
afterEach(() => world.remove());

const path = (name: string) => world.archive.files.path(PROJECT, name);
/** Cuts a file off in its middle. */
function damage(file: string): Buffer {
  const whole = readFileSync(file);
  const cut = whole.subarray(0, Math.max(1, Math.floor(whole.length / 2)));
  writeFileSync(file, cut);
  return cut;
}
const asides = async (folder: string) =>
  (await world.archive.files.list(PROJECT, folder)).filter((name) => name.includes('.damaged-'));

describe('a damaged file of a project', () => {
  /** What makes it, who reads it, and what the reader then gives. */
  const KEPT: Record<string, { make: () => Promise<unknown>; read: () => Promise<unknown>; gives: unknown }> =
    {
      'purge/open.json': {
        make: () => addToOpen(world, PROJECT, { sessions: [ONE] }),
        read: () => readOpen(world, PROJECT),
        gives: { sessions: [], stones: [], excerpts: [] },
      },
      'purge/leaving/one.json': {
        make: () => writeLeaving(world, PROJECT, ONE, { refined: ['memory/x'], words: [] }),
        read: () => readLeaving(world, PROJECT),
        gives: new Map([[ONE, { refined: [], words: [] }]]),
      },
      'decay/run.json': {
        make: () => retention(),
        read: async () => [await readRun(world, PROJECT), await mayBegin(world, PROJECT)],
        gives: [undefined, false],
      },
      'rolling/state.json': {
        make: async () => undefined,
        read: async () => (await readRollingState(world, PROJECT)).begun,
        gives: false,
      },
      'rolling/delta.json': {
        make: () => writeDelta(world, PROJECT, { written: {} }),
        read: () => readDelta(world, PROJECT),
        gives: undefined,
      },
      'journal/state.json': {
        make: () => world.archive.files.write(PROJECT, 'journal/state.json', '{"version":1,"id":"x"}\n'),
        read: async () => (await readStored(world, PROJECT, 'journal/state.json', JOURNAL_RECORD)).state,
        gives: 'damaged',
      },
    };

  test.each(Object.keys(KEPT))('%s is reported, named by verify, and kept aside', async (name) => {
    const { make, read, gives } = KEPT[name]!;
    await make();
    expect(await damagedFiles(world, PROJECT)).toEqual([]);
    expect(reported).toEqual([]);
    const cut = damage(path(name));
    expect(await damagedFiles(world, PROJECT)).toMatchObject([
      { level: 'error', message: expect.stringContaining(`${name} is damaged (it is not JSON).`) },
    ]);
    expect((await verify(world)).passed).toBe(false);
    reported = [];
    expect(await read()).toEqual(gives);
    expect(await read()).toEqual(gives);
    expect([...new Set(reported)]).toEqual([expect.stringContaining(`${path(name)} is damaged`)]);
    const [folder = ''] = name.split('/');
    const [aside, ...more] = await asides(folder);
    expect(more).toEqual([]);
    expect(await world.archive.files.read(PROJECT, `${folder}/${aside}`)).toEqual(cut);
  });

  const INJECTION =
    '{"id":"i","at":"t","session":"one","on":"prompt","why":"w","tokens":1,"sources":[],"text":"x"}\n';
  const NAMED: [name: string, sound: string, level: string][] = [
    ['injections/feedback.json', '{"version":1,"unhelpful":[]}\n', 'error'],
    ['injections/one.jsonl', `${INJECTION}${INJECTION.replace('"id":"i"', '"id":"j"')}`, 'warning'],
    ['others/ann/author.json', '{"version":1,"name":"Ann"}\n', 'error'],
    ['purge/late-secrets/one/salt.json', '{"salt":"s","marks":[]}\n', 'error'],
    ['rolling/records.json', '{"version":1,"notes":{},"blocks":{}}\n', 'error'],
  ];

  test.each(NAMED)('%s is named by verify', async (name, sound, level) => {
    await world.archive.files.write(PROJECT, name, sound);
    expect(await damagedFiles(world, PROJECT)).toEqual([]);
    await world.archive.files.write(PROJECT, name, sound.slice(9));
    const message = expect.stringContaining(`${name} is damaged`);
    expect(await damagedFiles(world, PROJECT)).toMatchObject([{ level, message }]);
  });

  test('a retention plan that is damaged lets no other run begin over it', async () => {
    await retention();
    const kept = await world.archive.files.list(PROJECT, 'decay');
    damage(path('decay/run.json'));
    await retention();
    expect(await world.archive.files.list(PROJECT, 'decay')).toEqual(expect.arrayContaining(kept));
    expect(await readSteps(world, PROJECT)).not.toEqual([]);
  });

  test('facts and concepts are reported and made again, with what was added by hand', async () => {
    await addFact(world, { content: 'The warehouse closes every January.', project: PROJECT });
    const before = (await allFacts(world)).map(({ content }) => content).toSorted();
    for (const name of ['memory/facts.json', 'memory/concepts.json']) {
      const sound = readFileSync(path(name), 'utf8');
      damage(path(name));
      reported = [];
      expect(await damagedFiles(world, PROJECT)).toMatchObject([{ level: 'warning' }]);
      if (name === 'memory/facts.json') expect(await rulesFor(world, PROJECT)).toEqual([]);
      await sync(world);
      expect(reported.join()).toContain(`${path(name)} is damaged`);
      expect(readFileSync(path(name), 'utf8')).toBe(sound);
    }
    expect((await allFacts(world)).map(({ content }) => content).toSorted()).toEqual(before);
    expect(await asides('memory')).toEqual([]);
  });

  test('the files of versions and compositions are named, and what is sound beside them still read', async () => {
    const [made] = await compressSession(world, REF, { ratio: 2 });
    await compose(world, 'all', { sessions: ['one'], budget: 4000 });
    damage(path('summaries/one/versions.json'));
    damage(path('composed/all/composition.json'));
    const found = (await damagedFiles(world, PROJECT)).map(({ level, message }) => `${level} ${message}`);
    expect(found).toEqual([
      'warning composed/all/composition.json is damaged (it is not JSON).',
      'error summaries/one/versions.json is damaged (it is not JSON).',
    ]);
    reported = [];
    const { hits } = await search(world, { query: 'basket' });
    expect(hits.length).toBeGreaterThan(0);
    damage(path(`summaries/one/${made!.version!.file}.jsonl`));
    await expect(readVersion(world, REF, made!.version!)).rejects.toMatchObject({
      code: 'corrupt',
      hint: expect.stringContaining('keepsake prune one'),
    });
  });
});

describe('a damaged refined transcript', () => {
  const damagedLine = async () => {
    const [row] = await allSessions(world);
    const file = path(row!.l1.file);
    const whole = readFileSync(file, 'utf8');
    const lines = whole.split('\n');
    lines[2] = lines[2]!.replace('"role"', '"r0le"');
    writeFileSync(file, lines.join('\n'));
    return { row: row!, file, whole };
  };

  test('is a fault that names the line and the command, and that command mends it', async () => {
    const { row, file, whole } = await damagedLine();
    const fault = await readL1(world, row).catch((error: unknown) => error);
    expect(fault).toMatchObject({
      code: 'corrupt',
      message: `${row.l1.file} is damaged (line 3: role: expected user or assistant or tool or system).`,
      hint: 'Rebuild it from the original: keepsake register one',
    });
    await register(world, 'one');
    expect(readFileSync(file, 'utf8')).toBe(whole);
    expect(await readL1(world, row)).toHaveLength(row.l1.lines);
  });

  test('does not keep a search from the others, says so each time, and is searched again once it is mended', async () => {
    writeFileSync(
      join(world.projects, PROJECT, 'two.jsonl'),
      transcript('/srv/shop', 'two', [{ you: 'A lighthouse?', agent: 'A lighthouse.' }]),
    );
    await world.index.destroy();
    const { file, whole } = await damagedLine();
    await sync(world);
    const found = async (query: string) => (await search(world, { query })).hits.length;
    expect(await found('lighthouse')).toBeGreaterThan(0);
    expect(await found('"number 5"')).toBe(0);
    expect(reported.join()).toContain('is damaged (at byte');
    writeFileSync(file, whole);
    expect(await found('"number 5"')).toBeGreaterThan(0);
  });
});

describe('a damaged file of the cache', () => {
  test('goes to the log, is made again, and nothing is said to the user', async () => {
    await saveHookSession(world, { version: 2, session: ONE, told: ['x'] });
    const cache = join(world.archive.root, 'cache');
    const names = [
      'sources.json',
      `ingest/${PROJECT}/one.json`,
      `layers/${PROJECT}.json`,
      `rolling/${PROJECT}.json`,
    ];
    // But for `gen`, which counts the writes, and for the time of reading.
    const contents = () =>
      names.map((name) => {
        const text = readFileSync(join(cache, name), 'utf8').replace(/"readAt":"[^"]*"/g, '"readAt":""');
        return { ...JSON.parse(text), gen: 0 };
      });
    const before = contents();
    for (const name of names) damage(join(cache, name));
    damage(join(cache, 'hooks/sessions/one.json'));
    expect(await loadHookSession(world, ONE)).toEqual({ version: 2, session: ONE, told: [] });
    const report = await sync(world);
    expect(report.problems).toEqual([]);
    expect([...new Set(logged.map((note) => note.split(' is damaged')[0]))].toSorted()).toEqual(
      [...names, 'hooks/sessions/one.json'].map((name) => join(cache, name)).toSorted(),
    );
    expect(reported).toEqual([]);
    expect(contents()).toEqual(before);
    expect((await verify(world)).passed).toBe(true);
  });
});

test('a sound archive has nothing to note, whatever is done with it', async () => {
  await compressSession(world, REF, { ratio: 2 });
  await compose(world, 'all', { sessions: ['one'], budget: 4000 });
  await addFact(world, { content: 'The warehouse closes every January.', project: PROJECT });
  await retention();
  await sync(world);
  await search(world, { query: 'basket' });
  expect([reported, logged, await damagedFiles(world, PROJECT)]).toEqual([[], [], []]);
  expect((await verify(world)).passed).toBe(true);
});

/** A run that makes a version, forty days later. */
async function retention(): Promise<void> {
  const days = 40 * 86_400_000;
  const clock = {
    now: () => new Date(Date.parse(world.clock.now()) + days).toISOString(),
    millis: () => world.clock.millis() + days,
    local: (utc: string) => utc,
  };
  await runRetention({ ...world, clock });
}
