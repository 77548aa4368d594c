import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { listSessions } from '../find/sessions.ts';
import { verify } from '../maintenance/verify.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { sync } from '../sync/sync.ts';
import { addKeepit, confirmKeepit, removeKeepit, setKeepit } from './change.ts';
import { findKeepit, listKeepits } from './keepits.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001';
const TOOL = {
  type: 'user',
  uuid: 'tool-1',
  sessionId: ID,
  cwd: '/srv/shop',
  timestamp: '2026-01-05T11:00:00.000Z',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't', content: 'Only a tool says this.' }],
  },
};
const ECHO = {
  type: 'assistant',
  uuid: 'echo-1',
  sessionId: ID,
  cwd: '/srv/shop',
  timestamp: '2026-01-05T11:01:00.000Z',
  message: {
    id: 'm9',
    role: 'assistant',
    content: [{ type: 'text', text: '##keepit1.00## Only a tool says this.' }],
  },
};

let world: TestWorld;
let source: string;
beforeEach(async () => {
  world = makeWorld();
  source = join(world.projects, '-srv-shop', `${ID}.jsonl`);
  mkdirSync(dirname(source), { recursive: true });
  const said = transcript('/srv/shop', ID, [
    { you: 'Add a basket. ##keepit0.50## Prices "in" cents — é.', agent: 'Done. The basket keeps cents.' },
    { you: 'Now a test.', agent: 'Written. The basket keeps cents.' },
  ]);
  writeFileSync(source, `${said}${JSON.stringify(TOOL)}\n${JSON.stringify(ECHO)}\n`, { mode: 0o640 });
  rest();
  await sync(world);
});
afterEach(() => world.remove());

/** Nobody has written to it lately. */
const rest = () => utimesSync(source, 1_700_000_000, 1_700_000_000);
const weights = async (request = {}) =>
  (await listKeepits(world, request)).items.map((it) => [it.content, it.weight]);
const text = () => readFileSync(source, 'utf8');
const marker = async (words: string) => {
  const all = [...(await listKeepits(world)).items, ...(await listKeepits(world, { removed: true })).items];
  return all.find((it) => it.content.includes(words))!.markerId;
};
const written = { writeOriginal: true };

describe('overlays', () => {
  test('words are kept afterwards, reweighed, removed and restored; the original stays', async () => {
    const original = text();
    const added = await addKeepit(world, ID, { text: 'Now a test.', weight: 0.75 });
    expect(added).toMatchObject({
      changed: true,
      keepit: { added: true, origin: 'user', messageUuid: `${ID}-user-1` },
    });
    const { markerId } = added.keepit;
    expect(await setKeepit(world, markerId.slice(0, 10), 0.9)).toMatchObject({
      undo: `keepit set ${markerId} 0.75`,
    });
    expect(await setKeepit(world, markerId, 0.9)).toMatchObject({ changed: false });
    expect(await removeKeepit(world, markerId)).toMatchObject({ undo: `keepit set ${markerId} 0.90` });
    expect(await weights({ removed: true })).toEqual([['Now a test.', 0.9]]);
    expect(await weights({ added: true })).toEqual([]);
    await setKeepit(world, markerId, 0.9);
    expect(await weights({ added: true })).toEqual([['Now a test.', 0.9]]);
    expect(text()).toBe(original);
    await sync(world);
    expect((await verify(world)).problems).toEqual([]);
    const { items } = await listSessions(world);
    expect(items[0]?.keepitMarkers.map((it) => it.weight)).toEqual([0.5, 0.9, 1]);
  });

  test('the same words at another place of a message are others, and so are more words around them', async () => {
    const twice = transcript('/srv/shop', ID, [{}, {}, { you: 'Use tabs. Later: Use tabs.', agent: 'Yes.' }]);
    appendFileSync(source, twice);
    rest();
    await sync(world);
    const message = `${ID}-user-2`;
    const range = (start: number, end: number) => ({ message, range: { start, end } });
    const first = await addKeepit(world, ID, { ...range(0, 9), weight: 0.5 });
    const second = await addKeepit(world, ID, { ...range(17, 26), weight: 0.6 });
    expect([first.keepit.content, second.keepit.content]).toEqual(['Use tabs.', 'Use tabs.']);
    expect(second.keepit.markerId).not.toBe(first.keepit.markerId);
    expect(second).toMatchObject({ changed: true, keepit: { position: { start: 17, end: 26 } } });
    const again = await addKeepit(world, ID, { ...range(0, 9), weight: 0.5 });
    expect(again).toMatchObject({ changed: false, keepit: { markerId: first.keepit.markerId } });
    const whole = await addKeepit(world, ID, { ...range(0, 26), weight: 0.7 });
    expect(whole).toMatchObject({ changed: true, keepit: { content: 'Use tabs. Later: Use tabs.' } });
    expect(await weights({ added: true })).toHaveLength(3);
  });

  test('words in several messages are ambiguous, and the last can be meant', async () => {
    const text = 'The basket keeps cents.';
    await expect(addKeepit(world, ID, { text, weight: 0.5 })).rejects.toMatchObject({
      code: 'ambiguous',
      hint: expect.stringMatching(/assistant: Done[\s\S]*assistant: Written/),
    });
    const { keepit } = await addKeepit(world, ID, { text, last: true, weight: 0.5 });
    expect(keepit.messageUuid).toBe(`${ID}-assistant-1`);
    const first = await addKeepit(world, ID, { text, message: `${ID}-assistant-0`, weight: 0.5 });
    expect(first.keepit.markerId).not.toBe(keepit.markerId);
    await expect(
      addKeepit(world, ID, { text: 'e', message: `${ID}-user-1`, weight: 0.5 }),
    ).resolves.toBeDefined();
    await expect(
      addKeepit(world, ID, { text: 't', message: `${ID}-user-1`, weight: 0.5 }),
    ).rejects.toMatchObject({
      code: 'ambiguous',
      hint: expect.stringContaining('--range 6:7'),
    });
  });

  test('what a tool printed is never kept, and what it echoed waits for a word', async () => {
    await expect(addKeepit(world, ID, { message: 'tool-1', weight: 1 })).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(
      addKeepit(world, ID, { text: 'a tool says', message: `${ID}-user-0`, weight: 1 }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('only in tool output'),
    });
    const [held] = (await listKeepits(world, { held: true })).items;
    expect(held).toMatchObject({ weight: 1, held: true, origin: 'assistant' });
    expect(await confirmKeepit(world, held!.markerId)).toMatchObject({
      changed: true,
      keepit: { held: false },
    });
    expect(await confirmKeepit(world, held!.markerId)).toMatchObject({ changed: false });
    expect((await listKeepits(world, { held: true })).items).toEqual([]);
  });

  test('words that a marker keeps already are not kept twice', async () => {
    await expect(addKeepit(world, ID, { text: 'Prices "in" cents — é.', weight: 1 })).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('keepit set k_'),
    });
  });

  test('a purge takes what was added, its words and the backups with it', async () => {
    await addKeepit(world, ID, { text: 'Now a test.', weight: 1 }, written);
    await unregister(world, await whatToUnregister(world, { session: ID }), { purge: true });
    const [project] = await world.archive.projects();
    expect((await world.archive.open(project!))?.manifest.overlays).toEqual([]);
    expect(await world.archive.files.list(project!, 'backups')).toEqual([]);
    await expect(findKeepit(world, 'k_')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe("the agent's own file", () => {
  test('only the digits change there; the archive keeps what it had and adds nothing twice', async () => {
    const before = text();
    const copy = await world.archive.originals.hash((await world.archive.projects())[0]!, `${ID}.jsonl`);
    const { original } = await setKeepit(world, await marker('Prices'), 0.8, written);
    expect(text()).toBe(before.replace('##keepit0.50##', '##keepit0.80##'));
    expect(readFileSync(original!.backup!, 'utf8')).toBe(before);
    await sync(world);
    expect(await world.archive.originals.hash((await world.archive.projects())[0]!, `${ID}.jsonl`)).toEqual(
      copy,
    );
    expect(await weights({ most: 0.99 })).toEqual([['Prices "in" cents — é.', 0.8]]);
    appendFileSync(source, transcript('/srv/shop', ID, [{}, {}, { you: 'And more.' }]));
    rest();
    await sync(world);
    const [session] = (await listSessions(world)).items;
    expect(session?.metadata.counts).toMatchObject({ human: 3, assistant: 3 });
    expect(session?.metadata.lines.duplicate).toBe(0);
    expect((await verify(world)).problems).toEqual([]);
    await setKeepit(world, await marker('Prices'), 0.5, written);
    expect(text()).toBe(before + transcript('/srv/shop', ID, [{}, {}, { you: 'And more.' }]));
  });

  test('a marker is put in and taken out again to the byte', async () => {
    const before = text();
    await addKeepit(world, ID, { text: 'Written.', weight: 0.9 }, written);
    expect(text()).toContain('"##keepit0.90## Written.##/keepit## The basket keeps cents."');
    await sync(world);
    expect(await weights({ least: 0.9, most: 0.9 })).toEqual([['Written.', 0.9]]);
    await removeKeepit(world, await marker('Written.'), written);
    expect(text()).toBe(before);
    await setKeepit(world, await marker('Written.'), 0.25, written);
    expect(text()).toContain('##keepit0.25## Written.');
    expect(readdirSync(dirname(source))).toEqual([`${ID}.jsonl`]);
  });

  test('nothing is written to a file that runs, grew, was changed by others, or is gone', async () => {
    const id = await marker('Prices');
    const refused = async (code: string, options = {}) => {
      const before = text();
      await expect(setKeepit(world, id, 1, { ...written, ...options })).rejects.toMatchObject({ code });
      expect(text()).toBe(before);
    };
    utimesSync(source, world.clock.millis() / 1000, world.clock.millis() / 1000);
    await refused('busy');
    rest();
    const good = text();
    appendFileSync(source, '{"type":"user","uuid":"new"}\n');
    await refused('conflict', { force: true });
    writeFileSync(source, good.replace('Add a basket', 'Add two baskets'));
    rest();
    await refused('conflict');
    writeFileSync(source, good.split('\n').slice(0, 2).join('\n'));
    rest();
    await refused('conflict');
    writeFileSync(source, good);
    rest();
    expect(await weights({ most: 0.99 })).toEqual([['Prices "in" cents — é.', 0.5]]);
    await world.archive.change((await world.archive.projects())[0]!, [
      { at: ['sessions', ID], merge: { originalFile: `${source}.gone` } },
    ]);
    await refused('not-found');
  });

  test('a file that is only linked into the archive is not edited', async () => {
    const id = await marker('Prices');
    const linked = { ...world, machine: { ...world.machine, isLink: async () => true } };
    await expect(setKeepit(linked, id, 1, written)).rejects.toMatchObject({ code: 'usage' });
    expect(text()).toContain('##keepit0.50##');
  });

  test('of the backups the newest five stay', async () => {
    const id = await marker('Prices');
    for (let step = 1; step <= 7; step++) await setKeepit(world, id, step / 10, written);
    const [project] = await world.archive.projects();
    const names = await world.archive.files.list(project!, `backups/${ID}`);
    expect(names.filter((name) => name.endsWith('.jsonl'))).toHaveLength(5);
    await expect(setKeepit(world, id, 1, written), 'all edits are known').resolves.toBeDefined();
  });
});
