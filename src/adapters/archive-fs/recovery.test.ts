import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newProjectChange } from '../../core/model/change.ts';
import { toProjectId, toSessionId } from '../../core/model/ids.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { Archive } from '../../ports/archive.ts';
import { openArchive } from './open-archive.ts';

const PROJECT = toProjectId('-home-ada-app');
const CREATE = newProjectChange({
  projectId: PROJECT,
  originalPath: '/home/ada/app',
  displayName: 'app',
  createdAt: '2026-01-01T00:00:00.000Z',
});

let root: string;
let archive: Archive;
let clock = 0;
const now = () => new Date(Date.UTC(2026, 0, 1) + clock++ * 1000).toISOString();
const again = () => openArchive(root, { now });
const file = (name: string) => join(root, 'projects', PROJECT, name);
const add = (id: string) =>
  archive.change(
    PROJECT,
    [{ at: ['sessions', id], put: record(id) }],
    [{ at: 't', action: 'register', sessionId: toSessionId(id) }],
  );
const sessions = async (from = again()) => Object.keys((await from.open(PROJECT))?.manifest.sessions ?? {});
const recoveries = async () => (await archive.history(PROJECT)).filter(({ action }) => action === 'recover');

beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), 'keepsake-recovery-')), 'archive');
  archive = again();
  await archive.change(PROJECT, [CREATE]);
  await add('a');
  await archive.fold(PROJECT);
  await add('b');
  await archive.fold(PROJECT);
  await add('c');
});
afterEach(async () => {
  await archive.close();
  await rm(join(root, '..'), { recursive: true });
});

describe('a damaged manifest', () => {
  test('is made again from the one before and both logs, with nothing lost', async () => {
    const before = await archive.open(PROJECT);
    await truncate(file('manifest.json'), 300);
    const after = await again().open(PROJECT);
    expect(after?.manifest).toEqual(before?.manifest);
    expect(after?.notes.join()).toContain('manifest.prev.json');
    expect(after?.rebuilt).toBeUndefined();
  });

  test('is mended by the next change, which keeps the broken file and says so in the history', async () => {
    await truncate(file('manifest.json'), 300);
    await archive.open(PROJECT);
    await add('d');
    expect(await sessions()).toEqual(['a', 'b', 'c', 'd']);
    expect((await again().open(PROJECT))?.notes).toEqual([]);
    expect(await recoveries()).toHaveLength(1);
    expect((await readdir(file(''))).filter((name) => name.startsWith('manifest.broken-'))).toHaveLength(1);
    await add('e');
    expect(await recoveries()).toHaveLength(1);
  });

  test('whose first line is gone is mended even by one who never opened it', async () => {
    await writeFile(file('manifest.json'), 'garbage');
    archive = again();
    expect((await archive.head(PROJECT))?.gen).toBe(4);
    await add('d');
    expect(await sessions()).toEqual(['a', 'b', 'c', 'd']);
    expect(await recoveries()).toHaveLength(1);
  });

  test('that is missing is made again as well', async () => {
    await rm(file('manifest.json'));
    expect(await sessions()).toEqual(['a', 'b', 'c']);
    await add('d');
    expect(await sessions()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('with a damaged one before it keeps what the logs hold, who it is, and asks for the originals', async () => {
    await truncate(file('manifest.json'), 400);
    await truncate(file('manifest.prev.json'), 30);
    const opened = await again().open(PROJECT);
    expect(opened?.rebuilt).toBe(true);
    expect(opened?.manifest).toMatchObject({ originalPath: '/home/ada/app', displayName: 'app', gen: 4 });
    // b came with the log before the last fold, c with the one since; only a is lost.
    expect(Object.keys(opened?.manifest.sessions ?? {})).toEqual(['b', 'c']);
    await archive.open(PROJECT);
    expect(await add('d')).toEqual({ gen: 5 });
    expect((await again().open(PROJECT))?.notes).toEqual([]);
    expect((await readdir(file(''))).filter((name) => name.startsWith('manifest.broken-'))).toHaveLength(2);
  });

  test('is never accepted as valid, wherever it is cut or a byte is changed', async () => {
    const whole = await readFile(file('manifest.json'));
    const before = await archive.open(PROJECT);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.boolean(),
        fc.integer({ min: 1, max: 255 }),
        async (at, cut, bit) => {
          const broken = Buffer.from(whole);
          broken[at] = broken[at]! ^ bit;
          // The ids here are one letter long: one byte would make one session of another, as only an edit by hand does.
          const isId = (byte: number | undefined) =>
            byte !== undefined && 'abc'.includes(String.fromCharCode(byte));
          fc.pre(cut || !isId(whole[at]) || !isId(broken[at]));
          await writeFile(file('manifest.json'), cut ? whole.subarray(0, at) : broken);
          const opened = await again().open(PROJECT);
          expect(opened?.notes).not.toEqual([]);
          expect(opened?.manifest.gen).toBe(before?.manifest.gen);
          expect(Object.keys(opened?.manifest.sessions ?? {}).length).toBe(3);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a manifest changed by hand', () => {
  test('is taken when it is sound, with a note and a copy aside', async () => {
    const text = await readFile(file('manifest.json'), 'utf8');
    await writeFile(file('manifest.json'), text.replace('"displayName":"app"', '"displayName":"my app"'));
    const opened = await archive.open(PROJECT);
    expect(opened?.manifest.displayName).toBe('my app');
    expect(opened?.notes.join()).toContain('by hand');
    await add('d');
    expect((await again().head(PROJECT))?.displayName).toBe('my app');
    expect(await sessions()).toEqual(['a', 'b', 'c', 'd']);
    expect((await readdir(file(''))).some((name) => name.startsWith('manifest.edited-'))).toBe(true);
  });

  test('is not taken when a field is not what it should be', async () => {
    const text = await readFile(file('manifest.json'), 'utf8');
    await writeFile(file('manifest.json'), text.replace('"overlays":[]', '"overlays":7'));
    const opened = await archive.open(PROJECT);
    expect(opened?.manifest.overlays).toEqual([]);
    expect(opened?.notes.join()).toContain('manifest.prev.json');
  });

  test('of a newer version is refused and stays as it is', async () => {
    const newer = JSON.stringify({ version: '2.0.0', gen: 1, projectId: PROJECT });
    await writeFile(file('manifest.json'), newer);
    const fault = { code: 'newer-version' };
    await expect(archive.open(PROJECT)).rejects.toMatchObject(fault);
    await expect(archive.head(PROJECT)).rejects.toMatchObject(fault);
    await expect(add('d')).rejects.toMatchObject(fault);
    await expect(archive.fold(PROJECT)).rejects.toMatchObject(fault);
    expect(await readFile(file('manifest.json'), 'utf8')).toBe(newer);
    expect(await archive.inspect()).toContainEqual(expect.objectContaining({ level: 'error' }));
  });
});

describe('the log', () => {
  test('with a torn last line is read up to it, and the next change replaces that line', async () => {
    await appendFile(file('manifest.log'), '{"sum":"half a li');
    expect(await sessions()).toEqual(['a', 'b', 'c']);
    expect(await add('d')).toEqual({ gen: 5 });
    expect(await sessions()).toEqual(['a', 'b', 'c', 'd']);
    expect((await again().open(PROJECT))?.notes).toEqual([]);
  });

  test('cut at any byte gives the changes of its complete lines, and continues from there', async () => {
    await add('d');
    const whole = await readFile(file('manifest.log'));
    const firstLine = whole.indexOf(10) + 1;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async (at) => {
        await writeFile(file('manifest.log'), whole.subarray(0, at));
        const kept = at >= firstLine ? ['a', 'b', 'c'] : ['a', 'b'];
        expect(await sessions()).toEqual(kept);
        await add('z');
        expect(await sessions()).toEqual([...kept, 'z']);
      }),
      { numRuns: 40 },
    );
  });

  test('with a bad line in the middle keeps the good ones, says so, and is kept aside', async () => {
    await add('d');
    await add('e');
    const text = await readFile(file('manifest.log'), 'utf8');
    await writeFile(file('manifest.log'), text.replace('"sessionId":"d"', '"sessionId":"x"'));
    const opened = await archive.open(PROJECT);
    expect(Object.keys(opened?.manifest.sessions ?? {})).toEqual(['a', 'b', 'c', 'e']);
    expect(opened).toMatchObject({ rebuilt: true, manifest: { gen: 6 } });
    expect(await add('f')).toEqual({ gen: 7 });
    expect(await sessions()).toEqual(['a', 'b', 'c', 'e', 'f']);
    expect(await recoveries()).toHaveLength(1);
    expect((await readdir(file(''))).some((name) => /^manifest\.broken-\w+\.log$/.test(name))).toBe(true);
  });

  test('leaves out a record whose first half was on a bad line', async () => {
    await add('d');
    for (const id of ['c', 'd'])
      await archive.change(PROJECT, [{ at: ['sessions', id], merge: { registered: false } }]);
    const text = await readFile(file('manifest.log'), 'utf8');
    await writeFile(file('manifest.log'), text.replace('"sessionId":"d"', '"sessionId":"x"'));
    const opened = await archive.open(PROJECT);
    expect(Object.keys(opened?.manifest.sessions ?? {})).toEqual(['a', 'b', 'c']);
    expect(opened?.manifest.sessions.c?.registered).toBe(false);
    expect(opened?.notes.join(' ')).toMatch(/Skipped.* d\./);
  });

  test('with a bad last line never gives its generation to another change', async () => {
    await add('d');
    const text = await readFile(file('manifest.log'), 'utf8');
    await writeFile(file('manifest.log'), text.replace('"sessionId":"d"', '"sessionId":"x"'));
    archive = again();
    expect(await add('e')).toEqual({ gen: 6 });
    expect(await sessions()).toEqual(['a', 'b', 'c', 'e']);
  });

  test('that a crash left after the fold is not applied twice', async () => {
    await archive.change(PROJECT, [{ at: ['links'], append: { once: true } }]);
    const log = await readFile(file('manifest.log'));
    await archive.fold(PROJECT);
    await writeFile(file('manifest.log'), log);
    const opened = await again().open(PROJECT);
    expect(opened?.manifest.links).toEqual([{ once: true }]);
    expect(await add('d')).toEqual({ gen: 6 });
    await archive.fold(PROJECT);
    expect((await again().open(PROJECT))?.manifest.links).toEqual([{ once: true }]);
    expect((await archive.history(PROJECT)).map(({ sessionId }) => sessionId)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('history.jsonl', () => {
  test('passes over bad lines, begins a new line after a torn one, and makes up for what is missing', async () => {
    const text = await readFile(file('history.jsonl'), 'utf8');
    // The last event never reached the file, the one before was torn.
    await writeFile(
      file('history.jsonl'),
      `not json\n${text.slice(0, text.indexOf('\n') + 1)}{"gen":3,"at":"t","act`,
    );
    await add('d');
    const ids = async () => (await archive.history(PROJECT)).map(({ sessionId }) => sessionId).sort();
    expect(await ids()).toEqual(['a', 'c', 'd']);
    await archive.fold(PROJECT);
    expect(await ids()).toEqual(['a', 'c', 'd']);
    const mended = await readFile(file('history.jsonl'), 'utf8');
    expect(mended).toContain('"sessionId":"c"');
    expect(mended).not.toMatch(/"act$/m);
  });
});

test('zeros in the history, where a write never reached the disk, go with the next fold', async () => {
  const text = await readFile(file('history.jsonl'), 'utf8');
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const hole = '\0'.repeat(40);
  await writeFile(file('history.jsonl'), `${first}\n${hole}${rest.at(-1)}\n${hole}"b"}\n`);
  await add('d');
  await archive.fold(PROJECT);
  const mended = await readFile(file('history.jsonl'), 'utf8');
  expect(mended).not.toContain('\0');
  expect(mended.startsWith(`${first}\n${rest.at(-1)}\n`)).toBe(true);
  expect((await again().inspect()).filter(({ message }) => message.includes('history'))).toEqual([]);
});

describe('both manifests lost', () => {
  const link = { linkId: 'l1', reason: 'same' };
  const composition = { name: 'basket', compositionId: 'c1' };

  async function edited(): Promise<void> {
    await archive.change(PROJECT, [
      { at: ['links'], append: link },
      { at: ['compositions', 'basket'], put: composition },
    ]);
    await archive.fold(PROJECT);
    await archive.change(PROJECT, [{ at: ['overlays'], append: { overlayId: 'o1' } }]);
  }
  const edits = async () => {
    const { links, compositions, overlays } = (await again().open(PROJECT))!.manifest;
    return { links, compositions: { ...compositions }, overlays };
  };

  test('what was made by hand is there once, with the logs and what came after the last fold', async () => {
    await edited();
    const before = await edits();
    for (const name of ['manifest.json', 'manifest.prev.json']) await rm(file(name));
    expect(await edits()).toEqual(before);
    expect(before).toMatchObject({ links: [link], overlays: [{ overlayId: 'o1' }] });
  });

  test('without the logs all up to the last fold is there; a damaged copy is not believed', async () => {
    await edited();
    for (const name of ['manifest.json', 'manifest.prev.json', 'manifest.log', 'manifest.prev.log'])
      await rm(file(name), { force: true });
    expect(await edits()).toEqual({ links: [link], compositions: { basket: composition }, overlays: [] });
    const copy = await readFile(file('manifest.edits.json'), 'utf8');
    await writeFile(file('manifest.edits.json'), copy.replace('same', 'sama'));
    expect(await edits()).toEqual({ links: [], compositions: {}, overlays: [] });
  });
});

function record(sessionId: string): SessionRecord {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    sessionId: toSessionId(sessionId),
    originalFile: `/home/ada/.claude/projects/${PROJECT}/${sessionId}.jsonl`,
    originalTokens: 1,
    originalMessages: 1,
    originalBytes: 1,
    originalHash: '',
    tokenCounter: 'none',
    firstTimestamp: at,
    lastTimestamp: at,
    registeredAt: at,
    lastAccessed: at,
    registered: true,
    metadata: {
      agent: 'claude-code',
      gitBranches: [],
      models: [],
      filesTouched: [],
      filesTouchedCount: 0,
      subSessions: [],
      counts: {
        human: 0,
        queued: 0,
        assistant: 0,
        toolCalls: 0,
        toolErrors: 0,
        compactions: 0,
        exchanges: 0,
      },
      lines: { total: 0, bad: 0, oversize: 0, duplicate: 0, unknown: {} },
      redactions: {},
    },
    keepitMarkers: [],
    compressions: [],
    l1: { file: 'memory/sessions/x.l1.jsonl', lines: 0, bytes: 0 },
    engine: 1,
  };
}
