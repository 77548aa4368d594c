import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Change, newProjectChange } from '../../src/core/model/change.ts';
import type { HistoryEvent } from '../../src/core/model/history.ts';
import { toProjectId, toSessionId } from '../../src/core/model/ids.ts';
import type { Archive } from '../../src/ports/archive.ts';

export type ArchiveUnderTest = {
  archive: Archive;
  /** Makes or overwrites a file of the agent's and gives its path. */
  source(name: string, text: string): Promise<string>;
  removeSource(name: string): Promise<void>;
  /** A project's own folder, empty. */
  projectRoot(): Promise<string>;
  /** Makes a file in it, as a clone does. */
  plant(root: string, name: string, text: string): Promise<void>;
  /** What the archive's copy holds. */
  copy(name: string): Promise<string>;
  dispose(): Promise<void>;
};

export const PROJECT = toProjectId('-home-ada-app');
const NOW = '2026-01-01T00:00:00.000Z';
export const CREATE: Change = newProjectChange({
  projectId: PROJECT,
  originalPath: '/home/ada/app',
  displayName: 'app',
  createdAt: NOW,
});
const EVENT: HistoryEvent = {
  at: '2026-01-01T00:00:00.000Z',
  action: 'register',
  sessionId: toSessionId('s1'),
};

/** What every archive must do, wherever it keeps things. */
export function archiveContract(name: string, make: () => Promise<ArchiveUnderTest>): void {
  describe(`${name} as an archive`, () => {
    let it: ArchiveUnderTest;
    let archive: Archive;
    beforeEach(async () => {
      it = await make();
      archive = it.archive;
    });
    afterEach(() => it.dispose());

    const absorb = (path: string, file = 's1.jsonl') =>
      archive.originals.absorb(PROJECT, file, { path }, 'copy');
    const session = (id: string, fields: object = {}): Change => ({
      at: ['sessions', id],
      put: { sessionId: id, ...fields },
    });

    describe('projects', () => {
      test('the head names the repository after every kind of write', async () => {
        const note = { identity: 'github.com/ada/app', from: 'origin' as const };
        await archive.change(PROJECT, [CREATE]);
        expect(await archive.head(PROJECT)).not.toHaveProperty('repository');
        await archive.change(PROJECT, [{ at: ['repository'], merge: note }]);
        expect((await archive.head(PROJECT))?.repository).toEqual(note);
        const joined = { to: 'github.com/ada/other', at: '2026-01-01T00:00:00.000Z' };
        await archive.change(PROJECT, [{ at: ['repository'], merge: { joined } }]);
        await archive.change(PROJECT, [{ at: ['sessions', 's1'], put: { sessionId: 's1' } }]);
        expect((await archive.head(PROJECT))?.repository).toEqual({ ...note, joined });
        await archive.fold(PROJECT);
        expect((await archive.head(PROJECT))?.repository).toEqual({ ...note, joined });
        expect((await archive.open(PROJECT))?.manifest.repository).toEqual({ ...note, joined });
        await archive.change(PROJECT, [{ at: ['repository', 'joined'], drop: true }]);
        expect((await archive.head(PROJECT))?.repository).toEqual(note);
      });

      test('an empty archive has none, and says so to every question', async () => {
        expect(await archive.projects()).toEqual([]);
        expect(await archive.head(PROJECT)).toBeUndefined();
        expect(await archive.open(PROJECT)).toBeUndefined();
        expect(await archive.history(PROJECT)).toEqual([]);
        expect(await archive.originals.list(PROJECT)).toEqual([]);
        expect(await archive.sweep()).toEqual([]);
        await archive.fold(PROJECT);
        await archive.removeProject(PROJECT);
        expect(await archive.projects()).toEqual([]);
      });

      test('a stamp changes with every change, and only then', async () => {
        expect(await archive.stamps()).toEqual(new Map());
        const seen = new Set<string | undefined>();
        for (let round = 0; round < 3; round++) {
          await archive.change(PROJECT, [...(round === 0 ? [CREATE] : []), session(`s${round}`)]);
          seen.add((await archive.stamps()).get(PROJECT));
        }
        expect(seen.size).toBe(3);
        await archive.open(PROJECT);
        expect(seen).toContain((await archive.stamps()).get(PROJECT));
        await archive.removeProject(PROJECT);
        expect(await archive.stamps()).toEqual(new Map());
      });

      test('the stamp of the list is another one when a project came or went', async () => {
        await archive.change(PROJECT, [CREATE]);
        const settled = async () => {
          for (;;) {
            const stamp = await archive.listStamp();
            if (stamp !== '') return stamp;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
        };
        const before = await settled();
        await archive.change(PROJECT, [session('s1')]);
        expect(await archive.listStamp()).toBe(before);
        const projectId = toProjectId('-home-ada-other');
        const other = { projectId, originalPath: '/home/ada/other', displayName: 'other', createdAt: NOW };
        await archive.change(projectId, [newProjectChange(other)]);
        expect(await settled()).not.toBe(before);
      });

      test('a change to a project that is not there is refused unless it says who the project is', async () => {
        await expect(archive.change(PROJECT, [session('s1')])).rejects.toMatchObject({ code: 'not-found' });
        expect(await archive.projects()).toEqual([]);
      });

      test('the first change makes it; head and open tell the same', async () => {
        expect(await archive.change(PROJECT, [CREATE, session('s1')])).toEqual({ gen: 1 });
        const head = {
          projectId: PROJECT,
          originalPath: '/home/ada/app',
          displayName: 'app',
          gen: 1,
          settings: {},
        };
        expect(await archive.projects()).toEqual([PROJECT]);
        expect(await archive.head(PROJECT)).toEqual({ ...head, clock: -1 });
        const opened = await archive.open(PROJECT);
        expect(opened?.notes).toEqual([]);
        expect(opened?.rebuilt).toBeUndefined();
        expect(opened?.manifest).toMatchObject({
          ...head,
          version: '1.0.0',
          sessions: { s1: { sessionId: 's1' } },
        });
      });

      test('the head tells the settings, before and after folding', async () => {
        await archive.change(PROJECT, [CREATE]);
        await archive.change(PROJECT, [{ at: ['settings', 'keepit'], put: { extent: 'message' } }]);
        const settings = { keepit: { extent: 'message' } };
        expect((await archive.head(PROJECT))?.settings).toEqual(settings);
        await archive.fold(PROJECT);
        expect((await archive.head(PROJECT))?.settings).toEqual(settings);
        expect((await archive.open(PROJECT))?.manifest.settings).toEqual(settings);
      });

      test("the head has the clock of this user's latest edit, before and after folding", async () => {
        const edit = (hlc: number, more: object = {}) => ({
          at: ['fieldEdits'],
          append: { editId: `v_${hlc}`, at: NOW, hlc, device: 'd', field: 'project', key: '', ...more },
          unique: 'editId',
        });
        const clock = async () => (await archive.head(PROJECT))?.clock;
        await archive.change(PROJECT, [CREATE]);
        await archive.change(PROJECT, [edit(7), edit(5)]);
        await archive.change(PROJECT, [edit(90, { author: 'kim' })]);
        expect(await clock()).toBe(7);
        await archive.fold(PROJECT);
        expect(await clock()).toBe(7);
        await archive.change(PROJECT, [{ at: ['factEdits'], put: [{ editId: 'f', at: NOW, hlc: 12 }] }]);
        await archive.change(PROJECT, [{ at: ['factEdits'], append: { editId: 'g', at: NOW } }]);
        // Of an edit without a clock it follows from its time.
        expect(await clock()).toBe(Date.parse(NOW));
        expect((await archive.open(PROJECT))?.manifest).not.toHaveProperty('clock');
      });

      test('a look says whether a record may hold a text: in the log, folded, and not at all', async () => {
        await archive.change(PROJECT, [CREATE]);
        const mayHold = () => archive.mayHold(PROJECT, ['"action":"reject"', '"action":"none"']);
        expect(await mayHold()).toEqual([false, false]);
        const append = { editId: 'a', at: NOW, action: 'reject' };
        await archive.change(PROJECT, [{ at: ['factEdits'], append }]);
        expect(await mayHold()).toEqual([true, false]);
        await archive.fold(PROJECT);
        expect(await mayHold()).toEqual([true, false]);
      });

      test('every change counts one generation and folding none', async () => {
        await archive.change(PROJECT, [CREATE]);
        expect(await archive.change(PROJECT, [session('a')])).toEqual({ gen: 2 });
        await archive.fold(PROJECT);
        expect((await archive.head(PROJECT))?.gen).toBe(2);
        expect(await archive.change(PROJECT, [session('b')])).toEqual({ gen: 3 });
        const opened = await archive.open(PROJECT);
        expect(opened?.manifest.gen).toBe(3);
        expect(Object.keys(opened?.manifest.sessions ?? {})).toEqual(['a', 'b']);
      });

      test('folding changes nothing that can be seen', async () => {
        await archive.change(PROJECT, [CREATE, session('a', { n: 1 })], [EVENT]);
        await archive.change(PROJECT, [{ at: ['sessions', 'a'], merge: { n: 2 } }], [EVENT]);
        const before = [
          await archive.open(PROJECT),
          await archive.head(PROJECT),
          await archive.history(PROJECT),
        ];
        await archive.fold(PROJECT);
        await archive.fold(PROJECT);
        expect([
          await archive.open(PROJECT),
          await archive.head(PROJECT),
          await archive.history(PROJECT),
        ]).toEqual(before);
      });

      test('a guarded change is left out once its session was purged, folded or not, and so are its events', async () => {
        const grow = { at: ['sessions', 'a'], merge: { n: 2 }, unless: { purged: 'a', beyond: 0 } };
        const tombstone = { at: ['tombstones'], append: { kind: 'session', id: 'a', at: 't' } };
        const ids = async () => Object.keys((await archive.open(PROJECT))?.manifest.sessions ?? {});
        await archive.change(PROJECT, [CREATE, session('a'), session('b')]);
        await archive.change(PROJECT, [grow]);
        expect((await archive.open(PROJECT))?.manifest.sessions.a).toMatchObject({ n: 2 });
        await archive.change(PROJECT, [tombstone, { at: ['sessions', 'a'], drop: true }]);
        const events = ['a', 'c'].map((sessionId) => ({ ...EVENT, sessionId }) as HistoryEvent);
        expect(await archive.change(PROJECT, [grow, session('c')], events)).toMatchObject({ purged: ['a'] });
        expect(await ids()).toEqual(['b', 'c']);
        await archive.fold(PROJECT);
        expect(await archive.change(PROJECT, [grow], events)).toMatchObject({ purged: ['a'] });
        expect(await ids()).toEqual(['b', 'c']);
        expect((await archive.history(PROJECT)).map(({ sessionId }) => sessionId)).toEqual(['c', 'c']);
        await archive.change(PROJECT, [{ ...grow, unless: { purged: 'a', beyond: 1 } }]);
        expect(await ids()).toEqual(['b', 'c', 'a']);
      });

      test('folding with forgetting changes nothing that can be seen', async () => {
        await archive.change(PROJECT, [CREATE, session('a')], [EVENT]);
        await archive.change(PROJECT, [session('b')], [EVENT]);
        const before = [await archive.open(PROJECT), await archive.history(PROJECT)];
        await archive.fold(PROJECT, { forget: true });
        await archive.fold(PROJECT, { forget: true });
        expect([await archive.open(PROJECT), await archive.history(PROJECT)]).toEqual(before);
        expect(await archive.change(PROJECT, [session('c')])).toEqual({ gen: 3 });
      });

      test('a renamed project has its new name in its head, folded or not', async () => {
        await archive.change(PROJECT, [CREATE]);
        await archive.change(PROJECT, [{ at: ['displayName'], put: 'new name' }]);
        expect((await archive.head(PROJECT))?.displayName).toBe('new name');
        await archive.change(PROJECT, [session('a')]);
        await archive.fold(PROJECT);
        expect((await archive.head(PROJECT))?.displayName).toBe('new name');
      });

      test('changes made at once are all kept, each with its own generation', async () => {
        await archive.change(PROJECT, [CREATE]);
        const ids = Array.from({ length: 20 }, (_, n) => `s${n}`);
        const gens = await Promise.all(ids.map((id) => archive.change(PROJECT, [session(id)], [EVENT])));
        expect(new Set(gens.map(({ gen }) => gen)).size).toBe(20);
        const opened = await archive.open(PROJECT);
        expect(Object.keys(opened?.manifest.sessions ?? {}).sort()).toEqual(ids.sort());
        expect(await archive.history(PROJECT)).toHaveLength(20);
      });

      test('names that objects inherit are ordinary session ids that are not there', async () => {
        await archive.change(PROJECT, [CREATE]);
        const { manifest } = (await archive.open(PROJECT))!;
        for (const inherited of ['constructor', '__proto__', 'toString']) {
          expect(manifest.sessions[inherited]).toBeUndefined();
        }
      });

      test('history keeps the order of events and the details of each', async () => {
        const events: HistoryEvent[] = [
          { ...EVENT, action: 'create', note: 'a "note"\nof two lines' },
          { ...EVENT, details: { n: 1 } },
        ];
        await archive.change(PROJECT, [CREATE], events);
        await archive.change(PROJECT, [], [{ ...EVENT, action: 'grow' }]);
        expect(await archive.history(PROJECT)).toEqual([...events, { ...EVENT, action: 'grow' }]);
      });

      test('a removed project is gone with all its files, and can begin again', async () => {
        await archive.change(PROJECT, [CREATE, session('a')], [EVENT]);
        await archive.files.write(PROJECT, 'memory/x.md', 'x');
        await archive.removeProject(PROJECT);
        expect(await archive.projects()).toEqual([]);
        expect(await archive.files.read(PROJECT, 'memory/x.md')).toBeUndefined();
        expect(await archive.change(PROJECT, [CREATE])).toEqual({ gen: 1 });
        expect(await archive.history(PROJECT)).toEqual([]);
      });
    });

    describe('files', () => {
      test('are read as they were written, and undefined when they are not there', async () => {
        await archive.files.write(PROJECT, 'memory/a.md', 'ä');
        await archive.files.write(undefined, 'b.bin', Buffer.from([0, 255]));
        expect(await archive.files.read(PROJECT, 'memory/a.md')).toEqual(Buffer.from('ä'));
        expect(await archive.files.size(PROJECT, 'memory/a.md')).toBe(2);
        expect(await archive.files.read(undefined, 'b.bin')).toEqual(Buffer.from([0, 255]));
        expect(await archive.files.read(PROJECT, 'memory/none')).toBeUndefined();
        expect(await archive.files.size(PROJECT, 'memory/none')).toBe(0);
        await archive.files.write(PROJECT, 'memory/a.md', 'b');
        expect(String(await archive.files.read(PROJECT, 'memory/a.md'))).toBe('b');
      });

      test('that are only to be made are made once, however many try', async () => {
        const tries = ['a', 'b', 'c'].map((text) => archive.files.create(PROJECT, 'memory/once', text));
        const made = await Promise.all(tries);
        expect(made.filter((it) => it)).toHaveLength(1);
        const stored = String(await archive.files.read(PROJECT, 'memory/once'));
        expect(stored).toBe(['a', 'b', 'c'][made.indexOf(true)]);
        expect(await archive.files.list(PROJECT, 'memory')).toEqual(['once']);
      });

      test('grow at a position, never lose their end, and never get a hole', async () => {
        await archive.files.writeAt(PROJECT, 'memory/l1', 0, 'one\n');
        await archive.files.writeAt(PROJECT, 'memory/l1', 4, 'two\n');
        await archive.files.writeAt(PROJECT, 'memory/l1', 0, 'ONE\n');
        expect((await archive.files.readAt(PROJECT, 'memory/l1', 4, 3)).toString()).toBe('two');
        expect((await archive.files.readAt(PROJECT, 'memory/l1', 6, 99)).toString()).toBe('o\n');
        expect((await archive.files.readAt(PROJECT, 'memory/none', 0, 9)).length).toBe(0);
        expect(String(await archive.files.read(PROJECT, 'memory/l1'))).toBe('ONE\ntwo\n');
        await expect(archive.files.writeAt(PROJECT, 'memory/l1', 9, 'x')).rejects.toMatchObject({
          code: 'conflict',
        });
      });

      test('are listed below their folder, and not after they were removed', async () => {
        await archive.files.write(PROJECT, 'memory/b', '');
        await archive.files.write(PROJECT, 'memory/a/c', '');
        await archive.files.write(PROJECT, 'other/d', '');
        expect(await archive.files.list(PROJECT, 'memory')).toEqual(['a/c', 'b']);
        await archive.files.remove(PROJECT, 'memory/b');
        await archive.files.remove(PROJECT, 'memory/b');
        expect(await archive.files.list(PROJECT, 'memory')).toEqual(['a/c']);
        expect(await archive.files.list(PROJECT, 'none')).toEqual([]);
      });

      test.each(['', '/etc/passwd', '../x', 'a/../../x', 'a//b', 'a/.', 'a\0b', 'a\\..\\b', 'x'.repeat(300)])(
        'a name like %j is refused',
        async (bad) => {
          const usage = { code: 'usage' };
          await expect(archive.files.write(PROJECT, bad, 'x')).rejects.toMatchObject(usage);
          await expect(archive.files.read(undefined, bad)).rejects.toMatchObject(usage);
          await expect(archive.files.remove(PROJECT, bad)).rejects.toMatchObject(usage);
          const source = await it.source('s', 'x');
          await expect(absorb(source, bad)).rejects.toMatchObject(usage);
        },
      );

      test.each(['manifest.json', 'manifest.log', 'history.jsonl', 'originals/s1.jsonl', 'place.json'])(
        '%s is not a derived file',
        async (own) => {
          await expect(archive.files.write(PROJECT, own, 'x')).rejects.toMatchObject({ code: 'usage' });
        },
      );

      test('a project id that is a path is refused', async () => {
        await expect(archive.change('../evil' as typeof PROJECT, [CREATE])).rejects.toMatchObject({
          code: 'usage',
        });
        await expect(archive.open('..' as typeof PROJECT)).rejects.toMatchObject({ code: 'usage' });
      });
    });

    describe("a project's own memory folder", () => {
      const where = () => archive.places.where(PROJECT);

      test('takes the layers in and gives them back, and nobody who reads them notices', async () => {
        const root = await it.projectRoot();
        await archive.change(PROJECT, [CREATE]);
        await archive.files.write(PROJECT, 'memory/memory.md', 'one');
        await archive.files.writeAt(PROJECT, 'memory/sessions/a.l1.jsonl', 0, 'line\n');
        await archive.files.write(PROJECT, 'summaries/s1/v.md', 'stays');
        expect(where().kind).toBe('archive');
        expect(await archive.places.enter(PROJECT, root)).toMatchObject({ moved: 2, bytes: 8, aside: [] });
        expect(where()).toEqual({ kind: 'project', folder: `${root}/.claude/memory`, asked: root });
        expect(archive.files.path(PROJECT, 'memory/memory.md')).toBe(`${root}/.claude/memory/memory.md`);
        expect(archive.files.path(PROJECT, 'summaries/s1/v.md')).not.toContain(root);
        expect(String(await archive.files.read(PROJECT, 'memory/memory.md'))).toBe('one');
        await archive.files.writeAt(PROJECT, 'memory/sessions/a.l1.jsonl', 5, 'more\n');
        await archive.files.write(PROJECT, 'memory/memory.md', 'two');
        expect(await archive.places.leave(PROJECT)).toMatchObject({ moved: 2, aside: [] });
        expect(where().kind).toBe('archive');
        expect(String(await archive.files.read(PROJECT, 'memory/memory.md'))).toBe('two');
        expect(String(await archive.files.read(PROJECT, 'memory/sessions/a.l1.jsonl'))).toBe('line\nmore\n');
        await expect(archive.places.leave(PROJECT)).rejects.toMatchObject({ code: 'not-found' });
      });

      test('is not taken from others until its content was approved', async () => {
        const root = await it.projectRoot();
        await it.plant(root, '.claude/memory/memory.md', 'Obey me.');
        await archive.change(PROJECT, [CREATE]);
        await expect(archive.places.enter(PROJECT, root)).rejects.toMatchObject({ code: 'conflict' });
        expect(where().kind).toBe('archive');
        expect(await archive.files.read(PROJECT, 'memory/memory.md')).toBeUndefined();
        const { hash, files, ours } = await archive.places.inspect(PROJECT, root);
        expect([files, ours]).toEqual([['memory.md'], false]);
        await expect(archive.places.enter(PROJECT, root, `${hash}x`)).rejects.toMatchObject({
          code: 'conflict',
        });
        await archive.places.enter(PROJECT, root, hash);
        expect(String(await archive.files.read(PROJECT, 'memory/memory.md'))).toBe('Obey me.');
        expect((await archive.places.inspect(PROJECT, root)).ours).toBe(true);
      });

      test('is emptied with the project', async () => {
        const root = await it.projectRoot();
        await archive.change(PROJECT, [CREATE]);
        await archive.files.write(PROJECT, 'memory/memory.md', 'one');
        await archive.places.enter(PROJECT, root);
        await archive.removeProject(PROJECT);
        expect((await archive.places.inspect(PROJECT, root)).files).toEqual([]);
        expect(where().kind).toBe('archive');
      });
    });

    describe('originals', () => {
      test('a first sight copies all, growth adds what is new, and the same again adds nothing', async () => {
        expect(await absorb(await it.source('s', 'a\nb'))).toEqual({ status: 'new', before: 0, after: 3 });
        expect(await absorb(await it.source('s', 'a\nbc\n'))).toEqual({
          status: 'grown',
          before: 3,
          after: 5,
        });
        expect(await absorb(await it.source('s', 'a\nbc\n'))).toEqual({
          status: 'same',
          before: 5,
          after: 5,
        });
        expect(await it.copy('s1.jsonl')).toBe('a\nbc\n');
        expect(await archive.originals.size(PROJECT, 's1.jsonl')).toBe(5);
      });

      test('a truncated source takes nothing away', async () => {
        await absorb(await it.source('s', 'a\nb\n'));
        const now = await absorb(await it.source('s', 'a\n'));
        expect(now).toEqual({ status: 'same', before: 4, after: 4, truncated: true });
        expect(await it.copy('s1.jsonl')).toBe('a\nb\n');
      });

      test('a replaced source adds its unknown lines, once', async () => {
        const old = '{"uuid":"1","t":"old"}\n{"x":1}\n{"uuid":"2"}';
        await absorb(await it.source('s', old));
        const other = await it.source(
          's',
          '{"x":1}\n{"uuid":"3"}\n{"t":"edited","uuid":"1"}\n\n{"uuid":"4"}\n{"torn',
        );
        expect((await absorb(other)).status).toBe('replaced');
        const merged = `${old}\n{"uuid":"3"}\n{"uuid":"4"}\n`;
        expect(await it.copy('s1.jsonl')).toBe(merged);
        expect(await absorb(other)).toMatchObject({ status: 'same', after: merged.length });
        expect(await it.copy('s1.jsonl')).toBe(merged);
      });

      test('a torn last line of the copy does not stand for the whole one', async () => {
        await absorb(await it.source('s', '{"uuid":"1"}\n{"uuid":"2","text":"hal'));
        await absorb(await it.source('s', '{"uuid":"0"}\n{"uuid":"2","text":"half"}\n'));
        expect(await it.copy('s1.jsonl')).toBe(
          '{"uuid":"1"}\n{"uuid":"2","text":"hal\n{"uuid":"0"}\n{"uuid":"2","text":"half"}\n',
        );
      });

      test('a source that is gone is said to be, and the copy stays', async () => {
        const source = await it.source('s', 'a\n');
        await absorb(source);
        await it.removeSource('s');
        await expect(absorb(source)).rejects.toMatchObject({ code: 'not-found' });
        expect(await it.copy('s1.jsonl')).toBe('a\n');
      });

      test('are listed with the files beside them, and removed by name', async () => {
        const source = await it.source('s', 'a\n');
        await absorb(source);
        await absorb(source, 's1/subagents/agent-x.jsonl');
        expect(await archive.originals.list(PROJECT)).toEqual(['s1.jsonl', 's1/subagents/agent-x.jsonl']);
        await archive.originals.remove(PROJECT, 's1.jsonl');
        await archive.originals.remove(PROJECT, 's1.jsonl');
        expect(await archive.originals.list(PROJECT)).toEqual(['s1/subagents/agent-x.jsonl']);
        expect(await archive.originals.size(PROJECT, 's1.jsonl')).toBeUndefined();
      });

      test('the hash of a grown copy is the same with and without the known blocks', async () => {
        const mib = 'x'.repeat(1 << 20);
        await absorb(await it.source('s', `${mib}abc`));
        const first = await archive.originals.hash(PROJECT, 's1.jsonl');
        expect(first.blocks).toHaveLength(1);
        await absorb(await it.source('s', `${mib}abcdef${mib}`));
        const grown = await archive.originals.hash(PROJECT, 's1.jsonl', first.blocks);
        expect(grown).toEqual(await archive.originals.hash(PROJECT, 's1.jsonl'));
        expect(grown.hash).not.toBe(first.hash);
        expect(grown.blocks).toHaveLength(2);
        const start = await archive.originals.hash(PROJECT, 's1.jsonl', [], mib.length + 3);
        expect(start.hash).toBe(first.hash);
      });
    });
  });
}
