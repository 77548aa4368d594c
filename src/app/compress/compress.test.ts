import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { setKeepit } from '../keepit/change.ts';
import { verify } from '../maintenance/verify.ts';
import { showSession } from '../session/show.ts';
import { showLine } from '../session/show-line.ts';
import { sync } from '../sync/sync.ts';
import { blame } from './blame.ts';
import { compressSession } from './compress.ts';
import { deltaStatus, uncovered } from './delta.ts';
import { diffVersions } from './diff-versions.ts';
import { prune, whatToPrune } from './prune.ts';
import { readVersion } from './version-files.ts';
import { describeVersions, listVersions } from './versions.ts';

const PINNED = 'Money is  integer cents,\n\teverywhere.';
const ref = { project: '-srv-shop' as ProjectId, session: 'one' as SessionId };
const sentences = (topic: string, count: number) =>
  Array.from({ length: count }, (_, n) => `The ${topic} has a detail ${n} worth about ${n * 7} words.`).join(
    ' ',
  );

let world: TestWorld;
let file: string;
beforeEach(async () => {
  world = makeWorld();
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  file = join(folder, 'one.jsonl');
  const turns = Array.from({ length: 12 }, (_, n) => ({
    you: `What about the ${n} basket?${n === 3 ? `\n\n##keepit1.00## ${PINNED}` : ''}${n === 4 ? '\n\n##keepit0.20## Maybe blue.' : ''}`,
    agent: sentences(`basket ${n}`, 30),
  }));
  writeFileSync(file, transcript('/srv/shop', 'one', turns));
  await sync(world);
});
afterEach(() => world.remove());

/** Lines as the client would add them; the parent chain does not matter to the order. */
async function grow(from: number, ...lines: object[]): Promise<void> {
  const base = { cwd: '/srv/shop', sessionId: 'one', isSidechain: false };
  lines.forEach((line, index) => {
    const at = `2026-01-06T10:00:${String(from + index).padStart(2, '0')}.000Z`;
    appendFileSync(
      file,
      `${JSON.stringify({ ...base, ...line, uuid: `more-${from + index}`, timestamp: at })}\n`,
    );
  });
  changed(0);
  await sync(world);
}
/** The agent wrote to the file so long ago, by the world's clock. */
function changed(minutesAgo: number): void {
  const at = world.clock.millis() / 1000 - 60 * minutesAgo;
  utimesSync(file, at, at);
}
const asks = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });
const says = (text: string) => ({
  type: 'assistant',
  message: { id: `m_${text.length}`, role: 'assistant', content: [{ type: 'text', text }] },
});
const calls = (id: string) => ({
  type: 'assistant',
  message: {
    id: `m_${id}`,
    role: 'assistant',
    content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } }],
  },
});
const results = (id: string, content = '3 passed') => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
});

describe('compress', () => {
  test('makes files and records that verify makes again, byte for byte', async () => {
    const [made] = await compressSession(world, ref, { level: 'aggressive' });
    const list = await listVersions(world, ref);
    const version = list.parts[0]!.versions[0]!;
    expect(version.versionId).toBe('part1_v001');
    const tokens = version.outputTokens;
    const size = tokens < 1000 ? `${tokens}t` : `${Math.round(tokens / 1000)}k`;
    expect(version.file).toBe(`part1_v001_uniform-aggressive_${size}`);
    expect(made!.outputTokens).toBeLessThanOrEqual(made!.inputTokens / 30);
    const { markdown, header } = await readVersion(world, ref, version);
    expect(markdown).toContain(PINNED);
    expect(markdown).not.toContain('##keepit');
    expect(header.receipt.keepits.map(({ survives }) => survives)).toEqual([true, false]);
    expect(version.keepitStats).toEqual({ preserved: 1, summarized: 1, weights: { '1.00': 1 } });
    expect((await verify(world)).problems).toEqual([]);
  });

  test('the same settings give the existing version; others the next number', async () => {
    const first = await compressSession(world, ref, { ratio: 10 });
    const again = await compressSession(world, ref, { ratio: 10 });
    const other = await compressSession(world, ref, { ratio: 20 });
    expect([first, again, other].map(([it]) => [it!.version!.versionId, it!.existed])).toEqual([
      ['part1_v001', false],
      ['part1_v001', true],
      ['part1_v002', false],
    ]);
  });

  test('eight at once get eight numbers, and all of them hold', async () => {
    const ratios = [2, 3, 4, 5, 6, 7, 8, 9];
    await Promise.all(ratios.map((ratio) => compressSession(world, ref, { ratio })));
    const { parts } = await listVersions(world, ref);
    expect(parts).toHaveLength(1);
    expect(parts[0]!.versions.map(({ versionId }) => versionId).sort()).toEqual(
      ratios.map((_, index) => `part1_v00${index + 1}`),
    );
    expect((await verify(world)).problems).toEqual([]);
  });

  test('what a killed run left is taken up by the next', async () => {
    const [dry] = await compressSession(world, ref, { ratio: 10, dryRun: true });
    await compressSession(world, ref, { ratio: 10 });
    const folder = join(world.places.archive, 'projects', ref.project, 'summaries', 'one');
    const files = readdirSync(folder).filter((name) => name.startsWith('part1'));
    const bytes = files.map((name) => readFileSync(join(folder, name)));
    await prune(world, ref, await whatToPrune(world, ref, ['v001']));
    writeFileSync(join(folder, files[0]!), bytes[0]!, { mode: 0o600 });
    const [again] = await compressSession(world, ref, { ratio: 10 });
    expect(again!.version!.outputTokens).toBe(dry!.outputTokens);
    expect(readdirSync(folder).filter((name) => name.startsWith('part1'))).toEqual(files);
    expect((await verify(world)).problems).toEqual([]);
  });

  test('a dry run writes nothing', async () => {
    const before = readdirSync(world.places.archive, { recursive: true }).sort();
    const [made] = await compressSession(world, ref, { dryRun: true });
    expect(made!.version).toBeUndefined();
    expect(readdirSync(world.places.archive, { recursive: true }).sort()).toEqual(before);
  });

  test('a later change of a weight does not change existing versions', async () => {
    await compressSession(world, ref, { level: 'aggressive' });
    const light = (await world.archive.open(ref.project))!.manifest.sessions.one!.keepitMarkers[1]!;
    await setKeepit(world, light.markerId, 1);
    expect((await verify(world)).problems).toEqual([]);
    const [made] = await compressSession(world, ref, { level: 'aggressive' });
    expect(made!.keepitStats.preserved).toBe(2);
    expect((await verify(world)).problems).toEqual([]);
  });

  test('bad settings, an empty session and parts that are not there are refused in words', async () => {
    const tiers = [{ endPercent: 50, compactionRatio: 10, aggressiveness: 'moderate' as const }];
    await expect(compressSession(world, ref, { ratio: 0 })).rejects.toMatchObject({ code: 'usage' });
    await expect(compressSession(world, ref, { tiers })).rejects.toMatchObject({ code: 'bad-input' });
    await expect(compressSession(world, ref, { ratio: 3, preset: 'gentle' })).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(compressSession(world, ref, { part: 2 })).rejects.toMatchObject({ code: 'not-found' });
    const nobody = { ...ref, session: 'none' as SessionId };
    await expect(compressSession(world, nobody)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('parts', () => {
  test('new messages become the next part, and only they', async () => {
    await compressSession(world, ref);
    expect(await deltaStatus(world, ref)).toMatchObject({ hasDelta: false, newMessages: 0, nextPart: 2 });
    await grow(0, asks('And the lamp?'), says(sentences('lamp', 20)));
    expect(await deltaStatus(world, ref)).toMatchObject({ hasDelta: true, newMessages: 2, nextPart: 2 });
    const [made] = await compressSession(world, ref, { delta: true, level: 'light' });
    expect(made).toMatchObject({ part: 2, messages: [25, 26] });
    const { parts } = await listVersions(world, ref);
    expect(parts[1]!.bytes[0]).toBe(parts[0]!.bytes[1]);
    const { markdown } = await readVersion(world, ref, parts[1]!.versions[0]!);
    expect(markdown).toContain('lamp');
    expect(markdown).not.toContain('basket');
    await grow(2, { type: 'custom-title', customTitle: 'Another title' });
    expect((await verify(world)).problems).toEqual([]);
  });

  test('end before an exchange that is still going on, and never between a call and its result', async () => {
    await grow(0, asks('Run the tests.'), calls('t1'));
    const [first] = await compressSession(world, ref);
    expect(first!.messages).toEqual([1, 24]);
    expect(await deltaStatus(world, ref)).toMatchObject({ hasDelta: false, waiting: 2 });
    await expect(compressSession(world, ref, { delta: true })).rejects.toMatchObject({ code: 'conflict' });
    await grow(2, results('t1'));
    expect(await deltaStatus(world, ref)).toMatchObject({ hasDelta: false });
    await grow(3, says(`They pass, all three of them. ${sentences('test', 40)}`));
    const [second] = await compressSession(world, ref, { delta: true, ratio: 1 });
    const { lines } = await readVersion(world, ref, second!.version!);
    const text = lines.map(({ text }) => text).join('\n');
    expect(text).toContain('Run the tests.');
    expect(text).toContain('npm test');
    expect(text).toContain('all three');
  });

  test('a session that nobody writes to any more is covered to its end', async () => {
    await grow(0, asks('Run the tests.'), says('I run them.'), calls('t1'));
    changed(6);
    const [made] = await compressSession(world, ref, { ratio: 1 });
    expect(made!.messages).toEqual([1, 27]);
    const { lines } = await readVersion(world, ref, made!.version!);
    expect(lines.at(-1)!.text).toMatch(/npm test.*no answer/s);
    expect(await deltaStatus(world, ref)).toMatchObject({ hasDelta: false, waiting: 0, waitingTokens: 0 });
    expect((await verify(world)).problems).toEqual([]);
    // Resumed: the call is not rendered again, and the parts are still what they were.
    await grow(3, asks('Again, please.'), says('They pass, all three of them.'));
    const [next] = await compressSession(world, ref, { delta: true, ratio: 1 });
    expect(next).toMatchObject({ part: 2, messages: [28, 29] });
    const { markdown } = await readVersion(world, ref, next!.version!);
    expect(markdown).toContain('Again, please.');
    expect(markdown).not.toContain('npm test');
    expect((await verify(world)).problems).toEqual([]);
  });

  test('a result that comes after all is in the next part, with its call', async () => {
    await grow(0, asks('Run the tests.'), calls('t1'));
    changed(6);
    await compressSession(world, ref);
    await grow(2, results('t1', 'FAIL basket.test.ts: 7 of 9'), says('Two fail.'));
    const [next] = await compressSession(world, ref, { delta: true, ratio: 1 });
    const { lines } = await readVersion(world, ref, next!.version!);
    expect(lines.map(({ text }) => text).join('\n')).toMatch(/npm test(?!.*no answer)/s);
    expect((await verify(world)).problems).toEqual([]);
  });

  test('a clock that was set back makes no session wait', async () => {
    await grow(0, asks('Run the tests.'));
    changed(-60);
    expect(await deltaStatus(world, ref)).toMatchObject({ newMessages: 25, waiting: 0 });
    changed(0);
    expect(await deltaStatus(world, ref)).toMatchObject({ newMessages: 24, waiting: 1 });
  });

  test('where the source is gone, its last line says whether it is over', async () => {
    const { millis } = world.clock;
    await grow(0, asks('Run the tests.'));
    rmSync(file);
    expect(await deltaStatus(world, ref)).toMatchObject({ newMessages: 25, waiting: 0 });
    world.clock.millis = () => Date.parse('2026-01-06T10:03:00Z');
    expect(await deltaStatus(world, ref)).toMatchObject({ newMessages: 24, waiting: 1 });
    world.clock.millis = millis;
  });

  test('what no part holds is reported: what is new, what waits and why', async () => {
    const nothing = { newMessages: 0, newTokens: 0, waiting: 0, waitingTokens: 0 };
    await grow(0, asks('Run the tests.'));
    const dry = await compressSession(world, ref, { dryRun: true });
    const waits = {
      newMessages: 0,
      newTokens: 0,
      waiting: 1,
      waitingReason: expect.stringContaining('5 minutes'),
    };
    const planned = await uncovered(world, ref, { outcomes: dry });
    expect(planned).toMatchObject(waits);
    expect(planned.waitingTokens).toBeGreaterThan(0);
    const forced = await compressSession(world, ref, { dryRun: true, force: true });
    expect(await uncovered(world, ref, { outcomes: forced, force: true })).toEqual(nothing);
    const made = await compressSession(world, ref);
    expect(await uncovered(world, ref, { outcomes: made })).toEqual(planned);
    changed(6);
    const after = await uncovered(world, ref);
    expect(after).toEqual({ ...nothing, newMessages: 1, newTokens: planned.waitingTokens });
    expect((await describeVersions(world, ref)).uncovered).toEqual(after);
  });

  test('nothing waits once a forced part holds it', async () => {
    await grow(0, asks('Run the tests.'), calls('t1'));
    await compressSession(world, ref, { force: true });
    expect(await uncovered(world, ref)).toEqual({
      newMessages: 0,
      newTokens: 0,
      waiting: 0,
      waitingTokens: 0,
    });
  });

  test('a session of one message is a part', async () => {
    const folder = join(world.projects, '-srv-shop');
    writeFileSync(
      join(folder, 'two.jsonl'),
      transcript('/srv/shop', 'two', [{ you: `Only this. ${sentences('thing', 9)}` }]),
    );
    await sync(world);
    const [made] = await compressSession(world, { ...ref, session: 'two' as SessionId }, { ratio: 1 });
    const { markdown } = await readVersion(world, { ...ref, session: 'two' as SessionId }, made!.version!);
    expect(markdown).toContain('The thing has a detail 8');
  });
});

describe('versions', () => {
  test('come back from their own files when every manifest is lost', async () => {
    await compressSession(world, ref, { ratio: 10 });
    const before = (await listVersions(world, ref)).parts;
    const folder = join(world.places.archive, 'projects', ref.project);
    for (const name of readdirSync(folder)) if (/^manifest/.test(name)) rmSync(join(folder, name));
    rmSync(join(world.places.archive, 'cache'), { recursive: true });
    await sync(world);
    expect((await listVersions(world, ref)).parts).toEqual(before);
    expect((await verify(world)).problems).toEqual([]);
  });

  test('that were changed by hand are named', async () => {
    const [made] = await compressSession(world, ref, { ratio: 10 });
    const folder = join(world.places.archive, 'projects', ref.project, 'summaries', 'one');
    appendFileSync(join(folder, `${made!.version!.file}.md`), 'more\n');
    const { problems } = await verify(world);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ level: 'error', message: expect.stringContaining('was changed') });
  });

  test('are compared: what was removed, and where each line comes from', async () => {
    await compressSession(world, ref, { ratio: 10 });
    await compressSession(world, ref, { ratio: 30 });
    const diff = await diffVersions(world, ref, ['original', 'v002']);
    expect(diff.lines.filter(({ status }) => status !== 'same').length).toBeGreaterThan(0);
    expect(diff.lines.every(({ a }) => a !== null)).toBe(true);
    expect((await diffVersions(world, ref, ['v001', 'v001'])).counts).toMatchObject({ shorter: 0, gone: 0 });
    const blamed = await blame(world, { ...ref, agent: 'claude-code' }, 'v001');
    const bytes = readFileSync(blamed.original);
    const line = blamed.lines.find(({ text }) => text.includes('integer cents'))!;
    const [from, to] = line.origins[0]!.bytes;
    expect(JSON.parse(bytes.toString('utf8', from, to)).uuid).toBe(line.origins[0]!.messageUuid);
    expect(bytes.toString('utf8', from, to)).toContain('integer cents');
  });

  test('are shown beside their source: of a call, with its output; nothing is longer', async () => {
    const printed = Array.from({ length: 300 }, (_, n) => `ok ${n} basket-${n}.test.ts in ${n * 3} ms`);
    await grow(
      0,
      asks('Do the tests pass?'),
      calls('t1'),
      results('t1', printed.join('\n')),
      says('They do.'),
    );
    await compressSession(world, ref, { ratio: 3 });
    const diff = await diffVersions(world, ref, ['original', 'v001']);
    const call = diff.lines.find(({ name }) => name === 'Bash')!;
    expect(call.a).toContain(printed.slice(0, 40).join('\n'));
    expect(call.a).toMatch(/… \d+ characters more$/);
    expect([call.status, diff.counts.longer]).toEqual(['shorter', 0]);
    const whole = await showLine(world, await showSession(world, 'one'), call.l1Line);
    expect(whole).toMatchObject({ name: 'Bash', input: { command: 'npm test' }, output: printed.join('\n') });
  });

  test('count a list of calls as kept, and a title or a gap as nothing', async () => {
    const read = (id: string, path: string) => ({
      type: 'assistant',
      message: {
        id: `m_${id}`,
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Read', input: { file_path: path } }],
      },
    });
    const pages = ['r1', 'r2', 'r3'].flatMap((id) => [read(id, `/srv/shop/${id}.ts`), results(id, '')]);
    await grow(0, asks('Read all three.'), ...pages, says('All three were read. '.repeat(3)));
    const [made] = await compressSession(world, ref, { ratio: 1 });
    const { lines } = await readVersion(world, ref, made!.version!);
    expect(lines.find(({ name }) => name === 'Read')!.l1).toHaveLength(3);
    const calls = (await diffVersions(world, ref, ['original', 'v001'])).lines.filter(
      (it) => it.name === 'Read',
    );
    expect(calls.map(({ status }) => status)).toEqual(['same', 'same', 'same']);
    expect(made!.outputMessages).toBe(made!.inputMessages);
    await compressSession(world, ref, { ratio: 40 });
    const { goneExchanges } = await diffVersions(world, ref, ['original', 'v002']);
    const short = await readVersion(world, ref, (await listVersions(world, ref)).parts[0]!.versions[1]!);
    const included = new Set(
      short.lines.filter(({ form }) => form !== 'gap' && form !== 'title').map(({ exchange }) => exchange),
    );
    expect(goneExchanges).toHaveLength(13 - included.size);
    expect(goneExchanges.length).toBeGreaterThan(5);
  });

  test('never get the number of a deleted version, unless they have the same bytes', async () => {
    await compressSession(world, ref, { ratio: 10 });
    await compressSession(world, ref, { ratio: 20 });
    await prune(world, ref, await whatToPrune(world, ref, ['v002']));
    const [other] = await compressSession(world, ref, { ratio: 30 });
    const [again] = await compressSession(world, ref, { ratio: 20 });
    expect([other, again].map((it) => it!.version!.versionId)).toEqual(['part1_v003', 'part1_v002']);
    await prune(world, ref, await whatToPrune(world, ref, ['v003']));
    const folder = join(world.places.archive, 'projects', ref.project);
    for (const name of readdirSync(folder)) if (/^manifest/.test(name)) rmSync(join(folder, name));
    rmSync(join(world.places.archive, 'cache'), { recursive: true });
    await sync(world);
    const [later] = await compressSession(world, ref, { ratio: 40 });
    expect(later!.version!.versionId).toBe('part1_v004');
  });

  test('are deleted by name, and not while a composition uses them', async () => {
    await compressSession(world, ref, { ratio: 10 });
    const component = { sessionId: 'one', versionId: 'part1_v001', order: 0, tokenContribution: 5 };
    await world.archive.change(ref.project, [
      {
        at: ['compositions', 'c'],
        put: {
          compositionId: 'c',
          name: 'c',
          createdAt: '2026-01-01T00:00:00.000Z',
          components: [component],
          outputFile: 'composed/c/composed.md',
          totalTokens: 5,
          totalMessages: 1,
          usedInSessions: [],
        },
      },
    ]);
    const rows = await whatToPrune(world, ref, ['v001']);
    expect(rows[0]).toMatchObject({ usedIn: ['c'], lastUsed: '2026-01-01T00:00:00.000Z' });
    await expect(prune(world, ref, rows)).rejects.toMatchObject({ code: 'in-use' });
    await prune(world, ref, rows, { force: true });
    expect((await listVersions(world, ref)).parts[0]!.versions).toEqual([]);
    await expect(whatToPrune(world, ref, ['v001'])).rejects.toMatchObject({ code: 'not-found' });
  });
});
