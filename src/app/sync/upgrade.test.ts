import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OLD_PROJECT, OLD_RUNNING, OLD_SESSION, oldArchive } from '../../../test/made/old-archive.ts';
import type { TestWorld } from '../../../test/made/world.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { listSessions } from '../find/sessions.ts';
import { listKeepits } from '../keepit/keepits.ts';
import { allFacts } from '../layers/facts.ts';
import { examine } from '../maintenance/doctor.ts';
import { readStatus, waitsForSync } from '../maintenance/status.ts';
import { verify } from '../maintenance/verify.ts';
import { search } from '../search/search.ts';
import type { SyncProgress } from '../sync-report.ts';
import { sync } from './sync.ts';

let world: TestWorld;
beforeEach(() => {
  world = oldArchive();
});
afterEach(() => world.remove());

/** The project's files by their names, without those that grow with every run. */
function files(of = world): Map<string, string> {
  const folder = join(of.places.archive, 'projects', OLD_PROJECT);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const kept = names.filter((name) => !/^manifest|^history/.test(name));
  const isFile = (name: string) => statSync(join(folder, name)).isFile();
  return new Map(kept.filter(isFile).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const naming = (word: string) => [...files()].filter(([, text]) => text.includes(word)).map(([name]) => name);
const facts = async () => (await allFacts(world, OLD_PROJECT)).map(({ content }) => content).sort();
const keepits = async () =>
  (await listKeepits(world)).items.map(({ content, weight }) => [content, weight] as const);
const engines = async () =>
  Object.values((await world.archive.open(OLD_PROJECT))?.manifest.sessions ?? {}).map((it) => it.engine);

describe('a sync of an archive that an older engine made', () => {
  test('takes out what came from notices, and nothing else', async () => {
    const before = files();
    expect(naming('watchdog')).toEqual(expect.arrayContaining(['memory/memory.md', 'memory/facts.json']));
    const report = await sync(world);
    expect(report.problems).toEqual([]);
    expect(report.notes).toEqual([
      'Rebuilt 2 sessions that an older version of Keepsake had read. Your edits are unchanged.',
    ]);
    // Originals, versions and compositions are as they were; a fact that the user confirmed stays.
    const untouched = /^(?:originals|summaries|composed)[\\/]/;
    expect(naming('watchdog').filter((name) => !untouched.test(name))).toEqual(['memory/facts.json']);
    for (const [name, text] of before) if (untouched.test(name)) expect(files().get(name), name).toBe(text);
    expect(await engines()).toEqual([REFINE_ENGINE, REFINE_ENGINE]);
    const { problems, passed } = await verify(world);
    expect([passed, problems.filter(({ level }) => level !== 'ok')]).toEqual([true, []]);
  });

  test('leaves every project in its place, with its id and path', async () => {
    const placed = async () => {
      const { originalPath, displayName } = (await world.archive.head(OLD_PROJECT))!;
      return [await world.archive.projects(), originalPath, displayName];
    };
    const before = await placed();
    await sync(world);
    expect(await placed()).toEqual(before);
    expect((await listSessions(world)).items.map(({ by }) => by)).toEqual([undefined, undefined]);
  });

  test('keeps what the user wrote, confirmed, corrected, forgot and weighed', async () => {
    await sync(world);
    const after = await facts();
    expect(after).toEqual(
      expect.arrayContaining(['Deploys happen on Tuesdays.', 'Run the linter before you commit.']),
    );
    // The one that the user confirmed.
    expect(after.filter((content) => content.includes('watchdog'))).toEqual([
      expect.stringMatching(/^\{"type":"notice".*watchdog 1/),
    ]);
    expect(await keepits()).toEqual([
      ['watchdog 1 guards the warehouse"}', 1],
      ['The discount code is secret.', 1],
      ['the old page stays behind its flag', 0.75],
    ]);
    expect(files().get('memory/project.md')).toContain('sells boats');
    expect(files().get('memory/memory.md')?.split('\n').slice(3)).toEqual([
      '',
      '## 2026-03-01_1008 (local 03-01_1008) session 1ada0000 lines 1-18',
      '- user: Ada adds by hand that the tax is rounded up.',
      'A loose remark of Ada.',
      '- user: Never put the discount code into the log file.',
      '',
      '## 2026-03-02_1002 (local 03-02_1002) session 2ada0000 lines 1-6',
      '- user: We decided to keep the old checkout page until the summer sale is over.',
      '',
      '## 2026-03-03_0900 own note',
      'Ada wrote this entry herself.',
      '',
    ]);
  });

  test('names sessions by what a person said, and finds notices no more', async () => {
    const titles = async () =>
      (await listSessions(world, { limit: 9 })).items.map(({ metadata }) => metadata.title);
    const found = async () =>
      (await search(world, { query: 'watchdog' })).hits.map(({ kind, role }) => `${role} ${kind}`);
    expect((await titles()).join()).toContain('watchdog');
    expect((await found()).filter((hit) => hit.startsWith('user')).length).toBeGreaterThan(3);
    await sync(world);
    expect((await titles()).join()).not.toContain('watchdog');
    expect((await found()).filter((hit) => hit.startsWith('user'))).toEqual([]);
  });

  test('says how far it is, and that one waits until then', async () => {
    const warned = async () => (await examine(world)).filter(({ subject }) => subject === 'update');
    expect(await warned()).toMatchObject([{ level: 'warning', hint: 'Run `keepsake sync`.' }]);
    expect(await readStatus(world)).toMatchObject({ outdated: 2 });
    expect(await waitsForSync(world)).toMatchObject({ outdated: 2 });
    const seen: SyncProgress[] = [];
    await sync(world, { onProgress: (progress) => seen.push(progress) });
    const rebuilt = seen.filter(({ phase }) => phase === 'rebuild');
    expect(rebuilt.map(({ done, total }) => `${done} of ${total}`)).toEqual(['0 of 2', '1 of 2', '2 of 2']);
    expect(rebuilt.at(-1)).toMatchObject({ bytes: rebuilt[0]?.totalBytes });
    const layers = seen.filter(({ phase }) => phase === 'layers').map(({ done, current }) => [done, current]);
    expect(layers).toEqual([
      [0, OLD_PROJECT],
      [1, undefined],
    ]);
    expect(await warned()).toEqual([]);
    expect(await readStatus(world)).toMatchObject({ outdated: 0 });
    expect(await waitsForSync(world)).toMatchObject({ outdated: 0 });
  });

  test('that is stopped continues where it was, with the same result', async () => {
    const stop = new AbortController();
    await sync(world, { signal: stop.signal, onProgress: ({ done }) => done === 1 && stop.abort() });
    expect((await engines()).sort()).toEqual([1, REFINE_ENGINE]);
    const seen: SyncProgress[] = [];
    await sync(world, { onProgress: (progress) => seen.push(progress) });
    expect(seen.find(({ phase }) => phase === 'rebuild')).toMatchObject({ done: 0, total: 1 });
    const whole = oldArchive();
    await sync(whole);
    expect([...files().keys()].sort()).toEqual([...files(whole).keys()].sort());
    for (const [name, text] of files(whole)) expect(files().get(name), name).toBe(text);
    await whole.remove();
  });

  test('does it once', async () => {
    await sync(world);
    const before = files();
    const gen = (await world.archive.head(OLD_PROJECT))?.gen;
    const seen: SyncProgress[] = [];
    expect((await sync(world, { onProgress: (progress) => seen.push(progress) })).notes).toEqual([]);
    expect(seen.filter(({ phase }) => phase === 'rebuild')).toEqual([]);
    expect((await world.archive.head(OLD_PROJECT))?.gen).toBe(gen);
    expect(files()).toEqual(before);
  });

  test('leaves what a newer version read as it is', async () => {
    await world.archive.change(OLD_PROJECT, [
      { at: ['sessions', OLD_RUNNING], merge: { engine: REFINE_ENGINE + 1 } },
    ]);
    const refined = 'memory/sessions/2026-03-02_1000_2ada0000.l1.jsonl';
    const before = files().get(refined);
    await sync(world);
    const { sessions } = (await world.archive.open(OLD_PROJECT))!.manifest;
    expect(sessions[OLD_RUNNING]?.engine).toBe(REFINE_ENGINE + 1);
    expect(sessions[OLD_SESSION]?.engine).toBe(REFINE_ENGINE);
    expect(files().get(refined)).toBe(before);
  });
});
