import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WRITERS } from '../../../test/made/agent-sessions.ts';
import { transcript } from '../../../test/made/conversation.ts';
import { MUTATED_SESSION } from '../../../test/made/mutated-file.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { originalOf, showSession } from '../session/show.ts';
import { sync } from '../sync/sync.ts';
import { examine } from './doctor.ts';
import { readStatus, waitsForSync } from './status.ts';

let world: TestWorld;
let transcriptFile: string;
const DAY = 86_400_000;

beforeEach(() => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  transcriptFile = join(folder, 'talk.jsonl');
  writeFileSync(transcriptFile, transcript('/srv/shop', 'talk', [{ you: 'Hello' }]));
});
afterEach(() => world.remove());

/** As old as that, by the world's clock. */
function age(days: number): void {
  const time = (world.clock.millis() - days * DAY) / 1000;
  utimesSync(transcriptFile, time, time);
}

async function findings(): Promise<string[]> {
  const all = await examine(world);
  for (const finding of all) if (finding.level !== 'ok') expect(finding.hint, finding.message).toBeTruthy();
  return all
    .filter((finding) => finding.level !== 'ok')
    .map(({ level, subject, message }) => `${level} ${subject}: ${message}`);
}

test('after a sync all is well', async () => {
  age(1);
  await sync(world);
  expect(await findings()).toEqual([]);
});

test('what no reader understands is counted, by agent, and the rest is read', async () => {
  const folder = join(world.places.agents!.copilot[0]!, 'session-state', 'made');
  mkdirSync(folder, { recursive: true });
  const lines = WRITERS.copilot(MUTATED_SESSION).map((line) => `${JSON.stringify(line)}\n`);
  const path = join(folder, 'events.jsonl');
  writeFileSync(path, lines.join(''));
  age(1);
  await sync(world);
  expect(await findings()).toEqual([]);
  writeFileSync(path, lines.join('').replaceAll('"toolRequests"', '"toolCalls"'));
  utimesSync(path, 1, 1);
  await sync(world);
  expect(await findings()).toEqual([
    'warning newer format: 1 line in 1 session of GitHub Copilot CLI could not be read completely (field toolCalls in answer). First in session made.',
  ]);
});

test('a transcript that the agent will delete before it is archived is a warning', async () => {
  age(25);
  expect((await findings()).join('\n')).toContain(
    'will delete 1 transcript within a week that is not archived',
  );
  expect((await waitsForSync(world)).transcripts).toEqual((await readStatus(world)).transcripts);
  expect((await readStatus(world)).transcripts).toMatchObject({
    notSynced: 1,
    soonDeleted: 1,
    soonDeletedNotSynced: 1,
  });
  await sync(world);
  expect(await findings()).toEqual([]);
  expect((await readStatus(world)).transcripts).toMatchObject({
    notSynced: 0,
    soonDeleted: 1,
    soonDeletedNotSynced: 0,
  });
});

test("the agent's own clean-up period decides what is soon", async () => {
  writeFileSync(join(world.places.claude, 'settings.json'), '{"cleanupPeriodDays": 365}');
  age(100);
  expect((await readStatus(world)).transcripts).toMatchObject({ cleanupDays: 365, soonDeleted: 0 });
  writeFileSync(join(world.places.claude, 'settings.json'), 'not json');
  expect((await readStatus(world)).transcripts).toMatchObject({ cleanupDays: 30, soonDeleted: 1 });
});

test('an original that is a link to nothing is an error', async () => {
  age(1);
  await sync(world);
  const { archivedFile } = await showSession(world, 'talk');
  rmSync(archivedFile);
  symlinkSync('/nowhere/at/all', archivedFile);
  expect((await findings()).join('\n')).toContain('error originals: The original of talk is a broken link');
});

test('a lost original is reported once, by doctor and by status', async () => {
  age(1);
  await sync(world);
  rmSync((await showSession(world, 'talk')).archivedFile);
  expect((await findings()).filter((finding) => finding.includes('talk'))).toHaveLength(1);
  expect(await readStatus(world)).toMatchObject({ originalsLost: 1, originalsLinked: 0 });
});

test('originals that are only links are a warning, and a lost one says what happened', async () => {
  age(1);
  await world.settings.writeGlobal(() => ({ storage: { originals: 'symlink' } }));
  await sync(world);
  expect(await findings()).toEqual([expect.stringContaining('warning originals: 1 original is only a link')]);
  expect(await readStatus(world)).toMatchObject({ originalsLost: 0, originalsLinked: 1 });
  rmSync(transcriptFile);
  expect((await findings()).filter((finding) => finding.startsWith('error'))).toHaveLength(1);
  await expect(originalOf(world, await showSession(world, 'talk'))).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('was a link to'),
  });
});

test('a file that sync left out is not waiting, until it changes', async () => {
  age(1);
  const stray = join(world.projects, '-srv-shop', 'notes.jsonl');
  writeFileSync(stray, '{"some":"thing"}\n');
  expect((await readStatus(world)).transcripts.notSynced).toBe(2);
  await sync(world);
  const [only, ...more] = (await examine(world)).filter(({ level }) => level !== 'ok');
  expect(only).toMatchObject({ level: 'warning', subject: 'unknown agents' });
  expect(only?.message).toBe(
    `1 file is not from an agent that Keepsake supports, and not archived: ${stray}.`,
  );
  expect(more).toEqual([]);
  expect((await readStatus(world)).transcripts).toMatchObject({ found: 2, notSynced: 0, notSyncedBytes: 0 });
  writeFileSync(stray, '{"some":"thing else"}\n');
  expect((await readStatus(world)).transcripts.notSynced).toBe(1);
});

test('what is not synced is counted in new bytes', async () => {
  age(1);
  await sync(world);
  const more = transcript('/srv/shop', 'talk', [{}, { you: 'More' }]);
  appendFileSync(transcriptFile, more);
  expect((await readStatus(world)).transcripts).toMatchObject({
    notSynced: 1,
    notSyncedBytes: Buffer.byteLength(more),
  });
});

test('an archive that others can read is a warning', async () => {
  age(1);
  await sync(world);
  chmodSync(world.places.archive, 0o755);
  expect((await findings()).join('\n')).toContain('(mode 755)');
});

test('broken settings are an error and do not stop the other checks', async () => {
  age(1);
  await sync(world);
  writeFileSync(join(world.places.archive, 'config.json'), '{');
  const all = await examine(world);
  expect(all.find((finding) => finding.subject === 'settings')).toMatchObject({ level: 'error' });
  expect(all.some((finding) => finding.subject === 'transcripts')).toBe(true);
});

test("the agent's own memory beside ours is reported, unless it is off", async () => {
  age(1);
  await sync(world);
  mkdirSync(join(world.projects, '-srv-shop', 'memory'));
  writeFileSync(join(world.projects, '-srv-shop', 'memory', 'MEMORY.md'), '# notes');
  expect((await findings()).join('\n')).toContain('auto memory (MEMORY.md) is also active in 1 project.');
  writeFileSync(join(world.places.claude, 'settings.json'), '{"autoMemoryEnabled": false}');
  expect(await findings()).toEqual([]);
});

test('an old SQLite is an error', async () => {
  const old: TestWorld = {
    ...world,
    machine: {
      ...world.machine,
      versions: async () => ({ keepsake: '1', node: '22.13.0', sqlite: '3.47.2' }),
    },
  };
  expect((await examine(old))[0]).toMatchObject({ level: 'error', subject: 'versions' });
});
