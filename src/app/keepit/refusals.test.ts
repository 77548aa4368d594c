import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { sync } from '../sync/sync.ts';
import { addKeepit, confirmKeepit, removeKeepit, setKeepit } from './change.ts';
import { findKeepit, listKeepits } from './keepits.ts';
import type { KeepitTarget } from './target.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001';
const EMPTY = '22222222-aaaa-4aaa-8aaa-000000000002';
const ELSEWHERE = 'Without --write-original, the change is stored in the archive and has the same effect.';

let world: TestWorld;
let source: string;
beforeEach(async () => {
  world = makeWorld();
  source = join(world.projects, '-srv-shop', `${ID}.jsonl`);
  mkdirSync(dirname(source), { recursive: true });
  const agent = 'Done. The basket keeps cents.';
  const turns = [{ you: 'Add a basket. ##keepit0.50## Prices in cents.', agent }];
  for (let n = 0; n < 11; n++) turns.push({ you: `Step ${n}: use tabs, always use tabs.`, agent });
  writeFileSync(source, transcript('/srv/shop', ID, turns));
  rest();
  const output = [{ type: 'tool_result', tool_use_id: 't', content: 'x' }];
  const call = {
    type: 'user',
    uuid: 'tool-1',
    sessionId: EMPTY,
    cwd: '/srv/shop',
    timestamp: '2026-01-05T11:00:00.000Z',
    message: { role: 'user', content: output },
  };
  writeFileSync(join(dirname(source), `${EMPTY}.jsonl`), `${JSON.stringify(call)}\n`);
  await sync(world);
});
afterEach(() => world.remove());

/** Nobody has written to it lately. */
const rest = () => utimesSync(source, 1_700_000_000, 1_700_000_000);
const add = (target: KeepitTarget, session = ID) => addKeepit(world, session, { ...target, weight: 0.7 });
const marker = async () => (await listKeepits(world)).items[0]!.markerId;
const notes = async () => {
  const [project] = await world.archive.projects();
  const events = await world.archive.history(project!);
  return events.filter(({ action }) => action === 'keepit').map(({ note, details }) => ({ note, details }));
};

describe('what to keep is refused', () => {
  test('without a target, with two of them, and with an empty one', async () => {
    await expect(add({})).rejects.toMatchObject({
      code: 'usage',
      message: 'Missing text to keep.',
      hint: 'Give it with --text "words of a message", --message ID or --last.',
    });
    await expect(add({ text: 'cents', range: { start: 0, end: 3 } })).rejects.toMatchObject({
      code: 'usage',
      message: 'Use either --text or --range, not both.',
    });
    await expect(add({ text: ' \n' })).rejects.toMatchObject({ code: 'usage', message: '--text is empty.' });
  });

  test('where no message has this id, exchange or byte, by its name', async () => {
    const hint =
      '`keepsake search WORDS --json` shows message ids, `keepsake exchanges SESSION` exchange ids. Tool calls and their results are not messages.';
    for (const [target, named] of [
      [{ message: 'm-9', exchange: 'ex_9', src: 7 }, 'message m-9'],
      [{ exchange: 'ex_9', src: 7 }, 'exchange ex_9'],
      [{ src: 7 }, 'message at byte 7'],
    ] as const)
      await expect(add(target)).rejects.toMatchObject({
        code: 'not-found',
        message: `No ${named} in this session.`,
        hint,
      });
    await expect(add({ last: true }, EMPTY)).rejects.toMatchObject({
      code: 'not-found',
      message: 'This session has no messages.',
    });
  });

  test('where no message has these words, with a long text in short', async () => {
    await expect(add({ text: 'Basket' })).rejects.toMatchObject({
      code: 'not-found',
      message: '"Basket" does not appear in any message of this session.',
      hint: '`keepsake show SESSION --messages` shows them. The search is case-sensitive.',
    });
    const [fits, long] = ['y'.repeat(60), 'y'.repeat(61)];
    await expect(add({ text: fits })).rejects.toMatchObject({
      message: expect.stringContaining(`"${fits}"`),
    });
    await expect(add({ text: long })).rejects.toMatchObject({
      message: expect.stringContaining(`"${fits}…"`),
    });
  });

  test('where a range is outside of its message', async () => {
    const message = `${ID}-user-0`;
    await expect(add({ message, range: { start: 3, end: 900 } })).rejects.toMatchObject({
      code: 'usage',
      hint: 'Give another --range, or other words with --text.',
    });
  });

  test('where several messages match, with ten of them and the number of the others', async () => {
    const text = 'The basket keeps cents.';
    const fault = await add({ text }).catch((error) => error);
    expect(fault).toMatchObject({ code: 'ambiguous', message: 'This text appears in 12 messages.' });
    const [title, ...list] = fault.hint.split('\n');
    expect(title).toBe('Choose one, or use the last one with --last:');
    expect(list).toHaveLength(11);
    expect(list[0]).toMatch(
      /^ {2}--message \S+-assistant-0 {2}2026-01-05T\S+ {2}assistant: Done\. The basket/,
    );
    expect(list[0]).not.toContain('--range');
    expect(list[10]).toBe('  and 2 more');
    expect(fault.choices).toHaveLength(12);
    expect(fault.choices[1]).toEqual({ id: `${ID}-assistant-1` });
    const every = await add({ exchange: '' }).catch((error) => error);
    expect(every.message).toBe('This matches 24 messages.');
  });

  test('where one message has the words twice, with the range of each', async () => {
    const fault = await add({ text: 'use tabs', message: `${ID}-USER-2` }).catch((error) => error);
    expect(fault).toMatchObject({ code: 'ambiguous', message: 'This text appears in this message 2 times.' });
    const [, first, second, ...others] = fault.hint.split('\n');
    expect(first).toMatch(/--range 8:16 .* user: Step 1: use tabs, always use tabs\.$/);
    expect(second).toMatch(/--range 25:33 .* user: 1: use tabs, always use tabs\.$/);
    expect(others).toEqual([]);
    expect((await add({ text: 'use tabs', message: `${ID}-user-2`, last: true })).keepit.position.start).toBe(
      25,
    );
  });

  test('where it has a keepit already, with the command that changes it', async () => {
    const id = await marker();
    await expect(add({ text: 'Prices in cents.' })).rejects.toMatchObject({
      code: 'conflict',
      message: 'This text already has a keepit with weight 0.50.',
      hint: `Change it: keepsake keepit set ${id} 0.70`,
    });
  });
});

describe('a keepit that cannot be found', () => {
  test('is named, with the commands that list them', async () => {
    const hint = '`keepsake keepits` lists them, `keepsake keepits --removed` those that were removed.';
    const long = 'z'.repeat(70);
    await expect(findKeepit(world, 'k_0z')).rejects.toMatchObject({
      code: 'not-found',
      message: 'No keepit "k_0z".',
      hint,
    });
    await expect(findKeepit(world, long)).rejects.toMatchObject({
      message: `No keepit "${long.slice(0, 60)}".`,
    });
    await expect(findKeepit(world, ` ${(await marker()).toUpperCase()}\n`)).resolves.toBeDefined();
  });

  test('by a beginning of several ids lists ten of them, and the number of the others', async () => {
    for (let n = 0; n < 11; n++) await add({ text: `Step ${n}:` });
    const { ids } = await listKeepits(world);
    const digits = ids.map((id) => id[2]!);
    const digit = digits.find((it) => digits.filter((other) => other === it).length > 1) ?? '';
    const many = digits.filter((it) => it === digit).length;
    expect(many).toBeGreaterThan(1);
    const fault = await findKeepit(world, digit).catch((error) => error);
    expect(fault).toMatchObject({ code: 'ambiguous', message: `"${digit}" matches ${many} keepits.` });
    const [title, first] = fault.hint.split('\n');
    expect(title).toBe('Choose one:');
    expect(first).toMatch(/^ {2}k_[0-9a-f]+ {2}--project=-srv-shop {2}\S/);
    expect(fault.choices).toHaveLength(many);
    expect(fault.choices[0]).toMatchObject({ projectId: '-srv-shop', sessionId: ID, id: expect.any(String) });
  });
});

describe('every change', () => {
  test('is in the history without its words, with the command that undoes it', async () => {
    const added = await add({ text: 'Step 3' });
    const id = added.keepit.markerId;
    expect(added).toMatchObject({
      changed: true,
      undo: `keepit remove ${id}`,
      keepit: { by: 'me', via: 'typed' },
    });
    expect(await add({ text: 'Step 3' })).toMatchObject({ changed: false });
    const again = await addKeepit(world, ID, { text: 'Step 3', weight: 0.2 });
    expect(again).toMatchObject({ changed: true, undo: `keepit set ${id} 0.70` });
    expect(await setKeepit(world, id, 1)).toMatchObject({ changed: true, undo: `keepit set ${id} 0.20` });
    expect(await removeKeepit(world, id)).toMatchObject({ changed: true, undo: `keepit set ${id} 1.00` });
    const twice = await removeKeepit(world, id);
    expect(twice.changed).toBe(false);
    expect(twice).not.toHaveProperty('undo');
    await expect(confirmKeepit(world, id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'This keepit was removed.',
      hint: `Restore it first: keepsake keepit set ${id} 1.00`,
    });
    expect(await setKeepit(world, id, 0.5)).toMatchObject({ changed: true, undo: `keepit remove ${id}` });
    const all = await notes();
    expect(all.map(({ note }) => note)).toEqual([
      `Kept with weight 0.70: ${id}`,
      `Kept with weight 0.20: ${id}`,
      `The weight of ${id} is now 1.00.`,
      `No longer kept: ${id}`,
      `The weight of ${id} is now 0.50.`,
    ]);
    const details = all.map((event) => event.details);
    expect(details[0]).toMatchObject({
      action: 'add',
      markerId: id,
      weight: 0.7,
      messageUuid: `${ID}-user-4`,
      position: { start: 0, end: 6 },
      via: 'typed',
    });
    expect(details[2]).toMatchObject({ action: 'weight', markerId: id, weight: 1 });
    expect(details[3]).toMatchObject({ action: 'remove', markerId: id });
    expect(details[3]).not.toHaveProperty('weight');
    expect(JSON.stringify(all)).not.toContain('Step');
  });
});

describe("an edit of the agent's own file is refused", () => {
  const edit = async (options = {}) =>
    setKeepit(world, await marker(), 0.9, { writeOriginal: true, ...options });
  const project = async () => (await world.archive.projects())[0]!;
  const merge = async (part: Record<string, unknown>) =>
    world.archive.change(await project(), [{ at: ['sessions', ID], merge: part }]);

  test('while its session may be running, up to 30 seconds after its last write', async () => {
    const now = world.clock.millis() / 1000;
    utimesSync(source, now - 29, now - 29);
    await expect(edit()).rejects.toMatchObject({
      code: 'busy',
      message: `${source} was changed a moment ago; its session may be running.`,
      hint: 'End the session or wait 30 seconds. To edit it anyway, add --force.',
    });
    utimesSync(source, now - 31, now - 31);
    await expect(edit()).resolves.toMatchObject({ original: { file: source, changed: true } });
    const same = await edit();
    expect(same).toMatchObject({ changed: false, original: { file: source, changed: false } });
    expect(same.original).not.toHaveProperty('backup');
  });

  test('where it differs from its copy, by whether it has more or less', async () => {
    const more = 'Run `keepsake sync` first. If another program changed the file, Keepsake does not edit it.';
    appendFileSync(source, '{"type":"user","uuid":"new"}\n');
    rest();
    const message = `${source} differs from its archived copy. The file was not changed.`;
    await expect(edit()).rejects.toMatchObject({ code: 'conflict', message, hint: more });
    writeFileSync(source, '');
    rest();
    const less = 'The file is missing lines that the archive has.';
    await expect(edit()).rejects.toMatchObject({ code: 'conflict', message, hint: less });
  });

  test('of the sample, of another agent, of a link and of a file that is gone, each with the other way', async () => {
    const linked = { ...world, machine: { ...world.machine, isLink: async () => true } };
    await expect(setKeepit(linked, await marker(), 0.9, { writeOriginal: true })).rejects.toMatchObject({
      code: 'usage',
      message: `The archive has no copy of ${ID}, only a link to the agent's file.`,
      hint: `\`keepsake config set storage.originals copy\`, then \`keepsake sync\`. ${ELSEWHERE}`,
    });
    await merge({ originalFile: `${source}.gone` });
    await expect(edit()).rejects.toMatchObject({
      code: 'not-found',
      message: `The agent no longer has ${source}.gone.`,
      hint: ELSEWHERE,
    });
    await merge({ originalFile: dirname(source) });
    await expect(edit()).rejects.toMatchObject({ code: 'not-found' });
    await merge({ sample: true });
    await expect(edit()).rejects.toMatchObject({
      code: 'usage',
      message: "Sample sessions can't be edited.",
      hint: ELSEWHERE,
    });
  });
});
