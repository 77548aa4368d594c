import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hookSettings } from './config/hook-settings.ts';
import { countEvent } from './hook-count.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001';
let root: string;
let transcript: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-count-'));
  transcript = join(root, 'a "quoted" name.jsonl');
  writeFileSync(transcript, 'x'.repeat(1000));
  for (const folder of ['hooks/sessions', 'hooks/open', 'hooks/pending', 'ingest/-srv-shop'])
    mkdirSync(join(root, 'cache', folder), { recursive: true });
  note('hooks/open', ID, 'running\n');
  place({});
  read({});
});
afterEach(() => rmSync(root, { recursive: true }));

const note = (folder: string, name: string, text: string) =>
  writeFileSync(join(root, 'cache', folder, name), text);
const place = (more: object) =>
  note(
    'hooks/sessions',
    `${ID}.json`,
    JSON.stringify({ place: { project: '-srv-shop', session: 'as-named.1', path: transcript, ...more } }),
  );
const read = (more: object) =>
  note(
    'ingest/-srv-shop',
    'as-named.1.json',
    JSON.stringify({ source: { path: transcript, size: 1000, ...more } }),
  );
const input = (event: string) =>
  JSON.stringify({ session_id: ID, transcript_path: transcript, cwd: '/srv/shop', hook_event_name: event });
/** For each of so many events whether counting was all. */
const counted = (event: string, times: number) =>
  Array.from({ length: times }, () => countEvent(input(event), root));
const readAt = (event: string, times: number) =>
  counted(event, times).flatMap((isAll, at) => (isAll ? [] : [at + 1]));

describe('counting is all there is to do', () => {
  test('for tool calls and stops of a session that was read, except every few', () => {
    expect(readAt('PostToolUse', 50)).toEqual([25, 50]);
    expect(readAt('Stop', 10)).toEqual([5, 10]);
    expect(readFileSync(join(root, 'cache/hooks/tools', ID), 'utf8')).toHaveLength(50);
  });

  test.each([
    ['PostToolUse', 'tools', 'everyToolCalls'],
    ['Stop', 'stops', 'everyStops'],
  ] as const)('as often as every command says: %s', async (event, folder, name) => {
    for (const value of [1, 2, 24, 1000, 0, -1, 1.5, 1001, 99_999, '3', true, null, [2], {}]) {
      for (const stored of [{ hooks: { [name]: value } }, { [`hooks.${name}`]: value }]) {
        writeFileSync(join(root, 'config.json'), JSON.stringify(stored));
        rmSync(join(root, 'cache/hooks', folder), { recursive: true, force: true });
        const { config } = await hookSettings(root).resolve();
        const times = config.hooks[name];
        expect([JSON.stringify(stored), readAt(event, times)]).toEqual([JSON.stringify(stored), [times]]);
      }
    }
  });

  test('as often as the settings say, and the project before all', () => {
    writeFileSync(join(root, 'config.json'), '{"hooks":{"everyToolCalls":4,"everyStops":4}}');
    expect(readAt('PostToolUse', 8)).toEqual([4, 8]);
    place({ settings: { hooks: { everyStops: 3 }, 'hooks.everyToolCalls': 5 } });
    expect(readAt('PostToolUse', 4)).toEqual([2]);
    expect(readAt('Stop', 7)).toEqual([3, 6]);
    place({ settings: { hooks: { everyStops: 'often' } } });
    expect(readAt('Stop', 4)).toEqual([1]);
  });

  test.each<[string, () => void]>([
    ['has much more by now', () => appendFileSync(transcript, 'x'.repeat(40_000))],
    ['has become shorter', () => writeFileSync(transcript, 'x')],
    ['is written elsewhere now', () => read({ path: '/elsewhere' })],
    ['is kept under a name that leads elsewhere', () => place({ session: '../-srv-shop/as-named.1' })],
    ['has a state that nobody can read', () => note('ingest/-srv-shop', 'as-named.1.json', '{"source":')],
    ['was never read', () => rmSync(join(root, 'cache/hooks/sessions', `${ID}.json`))],
    ['has a note that nobody can read', () => note('hooks/sessions', `${ID}.json`, '{"place":')],
    ['was over and goes on', () => rmSync(join(root, 'cache/hooks/open', ID))],
    ['awaits the summary of a compaction', () => note('hooks/pending', ID, 'awaited\n')],
  ])('not for a stop of a session that %s', (_, happens) => {
    expect(counted('Stop', 1)).toEqual([true]);
    happens();
    expect(counted('Stop', 1)).toEqual([false]);
  });

  test('where nothing can be written', () => {
    expect(countEvent(input('Stop'), transcript)).toBe(true);
  });

  test('never for other events or ids that would name another file', () => {
    expect(counted('SessionEnd', 1)).toEqual([false]);
    expect(countEvent(input('Stop').replace(ID, '../../../../x'), root)).toBe(false);
    const quoting = { session_id: ID, prompt: input('Stop'), hook_event_name: 'UserPromptSubmit' };
    expect(countEvent(JSON.stringify(quoting), root)).toBe(false);
  });
});
