import { appendFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { CONFIG_DEFAULTS } from '../../core/model/config-defaults.ts';
import { toProjectId, toSessionId } from '../../core/model/ids.ts';
import type { Originals, SeenSource } from '../../ports/archive.ts';
import type { World } from '../world.ts';
import { type IngestRequest, ingestFile } from './ingest-file.ts';
import { quickReading } from './reading.ts';
import { loadState } from './session-state.ts';

const SESSION = toSessionId('11111111-aaaa-4aaa-8aaa-000000000001');
const REF = { project: toProjectId('-srv-shop'), session: SESSION };
let world: TestWorld;
let path: string;

const turn = (number: number) => [
  ...Array.from({ length: number }, () => ({})),
  { you: `Oil foghorn ${number}.`, agent: 'Done.' },
];
const goesOn = (number: number) => appendFileSync(path, transcript('/srv/shop', SESSION, turn(number)));

async function ingest(upTo: IngestRequest['upTo'], from: World = world, seen?: SeenSource) {
  const file = await world.transcripts.inspect(path);
  if (!file || file === 'folder') throw new Error('no file');
  const reading = quickReading(CONFIG_DEFAULTS);
  return ingestFile(from, { ref: REF, agent: 'claude-code', file, reading, upTo, seen });
}

/** What each copy was made with. */
function watched(): { from: World; seen: (SeenSource | undefined)[] } {
  const seen: (SeenSource | undefined)[] = [];
  const { archive } = world;
  const absorb: Originals['absorb'] = (project, name, source, mode) => {
    seen.push(source.seen);
    return archive.originals.absorb(project, name, source, mode);
  };
  return { from: { ...world, archive: { ...archive, originals: { ...archive.originals, absorb } } }, seen };
}

beforeEach(() => {
  world = makeWorld();
  path = join(world.projects, `${SESSION}.jsonl`);
  writeFileSync(path, transcript('/srv/shop', SESSION, turn(0)));
});
afterEach(() => world.remove());

describe('a file goes into the archive as far as is asked for', () => {
  test.each([
    ['copy', [], false],
    ['l1', ['l1.jsonl'], false],
    ['record', ['l1.jsonl'], true],
    ['exchanges', ['l1.jsonl', 'l2.json'], true],
  ] as const)('up to %s', async (upTo, refined, isRecorded) => {
    const { status, change, events } = await ingest(upTo);
    expect(status).toBe('new');
    expect(await world.archive.originals.size(REF.project, `${SESSION}.jsonl`)).toBeGreaterThan(0);
    const names = await world.archive.files.list(REF.project, 'memory/sessions');
    expect(names.map((name) => name.replace(/^[^.]*\./, ''))).toEqual(refined);
    expect(change !== undefined).toBe(isRecorded);
    expect(events.map(({ action }) => action)).toEqual(isRecorded ? ['register'] : []);
  });

  test('in whatever steps, the record is the same as at once', async () => {
    await ingest('copy');
    goesOn(1);
    await ingest('l1');
    goesOn(2);
    await ingest('record');
    goesOn(3);
    const { change } = await ingest('exchanges');
    const whole = makeWorld();
    try {
      const file = await whole.transcripts.inspect(path);
      if (!file || file === 'folder') throw new Error('no file');
      const reading = quickReading(CONFIG_DEFAULTS);
      const request = { ref: REF, agent: 'claude-code', file, reading, upTo: 'exchanges' } as const;
      expect(change?.merge).toEqual((await ingestFile(whole, request)).change?.merge);
    } finally {
      await whole.remove();
    }
  });
});

describe('the former state of a file is known to its next ingestion', () => {
  test.each(['copy', 'l1', 'record', 'exchanges'] as const)('after a step up to %s', async (upTo) => {
    await ingest(upTo);
    const known = (await loadState(world, REF))?.source;
    expect(known).toMatchObject({ path, size: expect.any(Number) });
    goesOn(1);
    const { from, seen } = watched();
    await ingest('exchanges', from, { size: 1, mtimeMs: 0, dev: 0, ino: 0 });
    expect(seen).toEqual([known]);
  });

  test('one that is as it was is not even opened, unless its record is wanted', async () => {
    await ingest('l1');
    const { from, seen } = watched();
    expect(await ingest('l1', from)).toEqual({ status: 'same', events: [] });
    expect(await ingest('copy', from)).toEqual({ status: 'same', events: [] });
    expect(seen).toEqual([]);
    expect((await ingest('record', from)).change).toBeDefined();
  });

  test('another file of the same session counts as unknown, and is no truncation where it is shorter', async () => {
    goesOn(1);
    await ingest('record');
    rmSync(path);
    path = join(world.projects, 'other.jsonl');
    writeFileSync(path, transcript('/srv/shop', SESSION, turn(0)));
    const { from, seen } = watched();
    expect((await ingest('record', from)).status).toBe('truncated');
    expect(seen).toEqual([undefined]);
  });

  test('one that was cut short is said to be, once, and the copy keeps all', async () => {
    const { state: before } = await ingest('record');
    goesOn(1);
    await ingest('record');
    truncateSync(path, before?.offset ?? 0);
    const cut = await ingest('record');
    expect(cut.status).toBe('shrunk');
    expect(cut.events.map(({ note }) => note)).toEqual([expect.stringContaining('became shorter')]);
    expect((await ingest('record')).events).toEqual([]);
    expect(cut.state?.facts.counts.human).toBe(2);
  });
});
