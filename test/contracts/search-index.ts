import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toProjectId } from '../../src/core/model/ids.ts';
import { LINE, ROLE } from '../../src/core/model/search.ts';
import type { IndexView, SearchIndex } from '../../src/ports/search-index.ts';
import { indexLine, indexUpdate } from '../made/index-update.ts';

export type IndexUnderTest = { index: SearchIndex; dispose(): Promise<void> };

const PROJECT = '-home-ada-app';
const OTHER = toProjectId('-home-ada-other');

/** What every search index must do, wherever it keeps things. */
export function searchIndexContract(name: string, make: () => Promise<IndexUnderTest>): void {
  describe(`${name} as a search index`, () => {
    let it: IndexUnderTest;
    let index: SearchIndex;
    const views: IndexView[] = [];
    beforeEach(async () => {
      it = await make();
      index = it.index;
    });
    afterEach(async () => {
      for (const view of views.splice(0)) view.close();
      await it.dispose();
    });

    async function look(): Promise<IndexView> {
      const view = await index.view();
      views.push(view);
      return view;
    }
    /** Places of the lines that hold a term, with the source's name. */
    function found(view: IndexView, term: string): string[] {
      const lines = [...view.postings(term).lines];
      const owners = view.sources(lines.map((line) => view.source[view.exchange[line]!]!));
      return view
        .places(lines)
        .map(({ at }, n) => `${owners[n]?.name} ${at}`)
        .sort();
    }

    test('an index with nothing in it answers every question', async () => {
      const view = await look();
      expect(view.lineCount).toBe(0);
      expect([view.length, view.role, view.flags, view.exchange, view.source].map((c) => c.length)).toEqual([
        0, 0, 0, 0, 0,
      ]);
      expect(view.postings('word')).toEqual({ lines: new Uint32Array(), counts: new Uint8Array() });
      expect([view.termsFrom('', 5), view.sources(), view.sources([0]), view.runs(0)]).toEqual([
        [],
        [],
        [],
        [],
      ]);
      expect([view.places([]), view.sourcesWithFile('a.ts')]).toEqual([[], []]);
      expect(await index.cursors()).toEqual(new Map());
      expect(await index.cursor(PROJECT, 'session', 's1')).toBeUndefined();
      expect(await index.marks()).toEqual(new Map());
      await index.tidy();
      await index.remove(PROJECT, 'session', 's1');
      expect(await index.state()).toMatchObject({ usable: true, lines: 0 });
    });

    test('a line is found by its terms, with how often each stands in it', async () => {
      await index.update([indexUpdate('s1', 0, ['cache token cache', 'token'])]);
      const view = await look();
      expect(found(view, 'cache')).toEqual(['s1 0']);
      expect([...view.postings('cache').counts]).toEqual([2]);
      expect(found(view, 'token')).toEqual(['s1 0', 's1 10']);
      expect(found(view, 'cach')).toEqual([]);
      expect([...view.length]).toEqual([3, 1]);
    });

    test('a line keeps its role, its features and its place', async () => {
      const line = indexLine(40, 'done', {
        role: 'tool',
        flags: LINE.time | LINE.kept,
        ts: '2026-12-31T23:59:59.999Z',
        bytes: 70_000,
        src: 5_000_000_000,
      });
      await index.update([indexUpdate('s1', 0, [], { to: 50, lines: [line] })]);
      const view = await look();
      expect([view.role[0], view.flags[0]]).toEqual([ROLE.tool, LINE.time | LINE.kept]);
      expect(view.places([0])).toEqual([
        { at: 40, bytes: 70_000, src: 5_000_000_000, ts: '2026-12-31T23:59:59.999Z' },
      ]);
    });

    test('times come back as they were given, also those that are none', async () => {
      const times = [
        '',
        '2026-01-02',
        '12',
        'yesterday',
        '2026-99-99T99:99:99.999Z',
        '0000-01-01T00:00:00.000Z',
      ];
      const lines = times.map((ts, n) => indexLine(n, 'x', { ts }));
      await index.update([indexUpdate('s1', 0, [], { to: 9, lines })]);
      expect((await look()).places(times.map((_, n) => n)).map(({ ts }) => ts)).toEqual(times);
    });

    test('a term that stands in a line more than 255 times counts 255', async () => {
      await index.update([indexUpdate('s1', 0, ['a '.repeat(300)])]);
      const view = await look();
      expect([...view.postings('a').counts]).toEqual([255]);
      expect(view.length[0]).toBe(300);
    });

    test('a line of more terms than its column can say is as long as it can say', async () => {
      await index.update([indexUpdate('s1', 0, ['a '.repeat(70_000)])]);
      expect((await look()).length[0]).toBe(65_535);
    });

    test('a source that grows goes on in its open exchange until a line starts one', async () => {
      const starts = { startsExchange: true };
      await index.update([
        indexUpdate('s1', 0, [], { to: 20, lines: [indexLine(0, 'a', starts), indexLine(10, 'b')] }),
        indexUpdate('s2', 0, ['other']),
      ]);
      await index.update([
        indexUpdate('s1', 20, [], { to: 40, lines: [indexLine(20, 'c'), indexLine(30, 'd', starts)] }),
      ]);
      const view = await look();
      const exchangeOf = (term: string) => view.exchange[view.postings(term).lines[0]!];
      expect(exchangeOf('c')).toBe(exchangeOf('a'));
      expect(exchangeOf('b')).toBe(exchangeOf('a'));
      expect(exchangeOf('d')).not.toBe(exchangeOf('a'));
      expect(exchangeOf('other')).not.toBe(exchangeOf('a'));
      const s1 = view.sources().find((row) => row.name === 's1')!;
      expect(view.source[exchangeOf('d')!]).toBe(s1.id);
      const lines = view
        .runs(s1.id)
        .flatMap(([first, count]) => Array.from({ length: count }, (_, n) => first + n));
      expect(view.places(lines).map(({ at }) => at)).toEqual([0, 10, 20, 30]);
    });

    test('sources of projects, and those of them that a prompt may quote', async () => {
      await index.update([
        indexUpdate('s1', 0, ['a'], { engine: 5 }),
        indexUpdate('s2', 0, ['a b'], { engine: 4 }),
        indexUpdate('s3', 0, ['a b'], { engine: 0 }),
        indexUpdate('s4', 0, ['a b'], { engine: 6, by: 'Kim' }),
        indexUpdate('s5', 0, ['a'], { engine: 6 }),
        indexUpdate('f', 0, ['a'], { engine: 6, kind: 'fact' }),
        indexUpdate('s6', 0, ['a'], { engine: 6, project: OTHER }),
      ]);
      const view = await look();
      const names = (ids: number[]) => view.sources(ids).map(({ name }) => name);
      const only = { mine: true, except: 's5', engine: 5 } as const;
      expect(names(view.sourcesIn([PROJECT])).toSorted()).toEqual(['f', 's1', 's2', 's3', 's4', 's5']);
      expect(names(view.sourcesIn([PROJECT], only)).toSorted()).toEqual(['s1', 's3']);
      expect(names(view.sourcesIn([OTHER, PROJECT], { ...only, except: '' })).toSorted()).toEqual([
        's1',
        's3',
        's5',
        's6',
      ]);
      expect([view.sourcesIn([]), view.sourcesIn([`${OTHER}x`])]).toEqual([[], []]);
    });

    test('lines with a term are counted as they are found, runs of several sources as of each', async () => {
      await index.update([indexUpdate('s1', 0, ['a', 'b']), indexUpdate('s2', 0, ['a a'])]);
      await index.update([indexUpdate('s1', 20, ['a'])]);
      const check = async () => {
        const view = await look();
        for (const term of ['a', 'b', 'none'])
          expect(view.linesWith(term)).toBe(view.postings(term).lines.length);
        const ids = view.sources().map(({ id }) => id);
        expect([...view.runsOf(ids)].toSorted()).toEqual(ids.map((id) => [id, view.runs(id)]));
      };
      await check();
      await index.remove(PROJECT, 'session', 's2');
      await check();
    });

    test('a cursor tells how far each source was read, and what is said of it', async () => {
      await index.update([indexUpdate('s1', 0, ['a', 'b']), indexUpdate('f', 0, ['c'], { kind: 'fact' })]);
      await index.update([indexUpdate('s1', 20, ['c'])]);
      await index.update([
        indexUpdate('s1', 30, [], { to: 30, title: 'Another', branch: 'side', by: 'Kim' }),
      ]);
      const s1 = {
        to: 30,
        engine: 1,
        file: 'memory/s1.l1.jsonl',
        title: 'Another',
        branch: 'side',
        by: 'Kim',
      };
      const f = { to: 10, engine: 1, file: 'memory/f.l1.jsonl', title: 'About f', branch: 'main', by: '' };
      expect(await index.cursors()).toEqual(
        new Map([
          [`${PROJECT}/session/s1`, s1],
          [`${PROJECT}/fact/f`, f],
        ]),
      );
      expect((await look()).postings('a').lines).toHaveLength(1);
    });

    test('an update that does not go on where the source stands is refused, and nothing of its batch is taken', async () => {
      await index.update([indexUpdate('s1', 0, ['a'])], { gen: '1' });
      for (const bad of [
        indexUpdate('s1', 20, ['b']),
        indexUpdate('s1', 5, ['b']),
        indexUpdate('unknown', 10, ['b']),
        indexUpdate('s1', 10, ['b'], { engine: 2 }),
        indexUpdate('s1', 10, ['b'], { file: 'elsewhere' }),
      ]) {
        const batch = [indexUpdate('s2', 0, ['b']), bad];
        await expect(index.update(batch, { gen: '2' })).rejects.toMatchObject({ code: 'conflict' });
      }
      const view = await look();
      expect(found(view, 'a')).toEqual(['s1 0']);
      expect(found(view, 'b')).toEqual([]);
      const cursors = await index.cursors();
      expect([...cursors.keys()]).toEqual([`${PROJECT}/session/s1`]);
      expect(await index.cursor(PROJECT, 'session', 's1')).toEqual(cursors.get(`${PROJECT}/session/s1`));
      expect(await index.cursor(PROJECT, 'session', 's2')).toBeUndefined();
      expect(await index.cursor(PROJECT, 'fact', 's1')).toBeUndefined();
      expect(await index.marks()).toEqual(new Map([['gen', '1']]));
    });

    test.each([
      ['from its first byte', {}],
      ['by another engine', { engine: 2 }],
      ['from another file', { file: 'elsewhere' }],
    ])('a source that is read %s starts anew', async (_, about) => {
      await index.update([indexUpdate('s1', 0, ['old both', 'old']), indexUpdate('s2', 0, ['old'])]);
      await index.update([indexUpdate('s1', 0, ['new both'], about)]);
      const view = await look();
      expect(found(view, 'old')).toEqual(['s2 0']);
      expect(found(view, 'both')).toEqual(['s1 0']);
      expect(view.termsFrom('', 9)).toEqual(['both', 'new', 'old']);
      const alive = [...view.role].filter((role) => role !== ROLE.removed);
      expect(alive).toHaveLength(2);
      expect(await index.state()).toMatchObject({ lines: 2 });
    });

    test('one source twice in a batch is taken one after the other', async () => {
      await index.update([
        indexUpdate('s1', 0, ['a']),
        indexUpdate('s1', 10, ['b']),
        indexUpdate('s1', 20, ['c']),
      ]);
      expect(found(await look(), 'c')).toEqual(['s1 20']);
    });

    test('what is told about a source is what the last update said', async () => {
      await index.update([indexUpdate('s1', 0, ['a'], { title: 'old', files: [['a.ts', 1]] })]);
      await index.update([
        indexUpdate('s1', 10, [], { title: 'new', by: 'Kim', last: 'later', files: [['b.ts', 2]] }),
      ]);
      const view = await look();
      const [row, ...rest] = view.sources();
      expect(rest).toEqual([]);
      expect({ ...row }).toEqual({
        id: row!.id,
        project: PROJECT,
        kind: 'session',
        name: 's1',
        agent: 'claude-code',
        file: 'memory/s1.l1.jsonl',
        engine: 1,
        branch: 'main',
        title: 'new',
        first: '2026-01-02T03:04:05.678Z',
        last: 'later',
        by: 'Kim',
      });
      expect(view.sourcesWithFile('a.ts')).toEqual([]);
      expect(view.sourcesWithFile('b.ts')).toEqual([{ source: row!.id, times: 2 }]);
      expect(found(view, 'a')).toEqual(['s1 0']);
    });

    test('a source that is removed is found no more, and may come again', async () => {
      await index.update([
        indexUpdate('s1', 0, ['a b'], { files: [['a.ts', 1]] }),
        indexUpdate('s2', 0, ['a']),
      ]);
      await index.remove(PROJECT, 'session', 's1');
      let view = await look();
      expect(found(view, 'a')).toEqual(['s2 0']);
      expect([found(view, 'b'), view.termsFrom('b', 5), view.sourcesWithFile('a.ts')]).toEqual([[], [], []]);
      expect(view.sources().map((row) => row.name)).toEqual(['s2']);
      await index.update([indexUpdate('s1', 0, ['b'])]);
      view = await look();
      expect(found(view, 'b')).toEqual(['s1 0']);
      expect(found(view, 'a')).toEqual(['s2 0']);
    });

    test('a file is found by its path or the end of it, in whole names', async () => {
      await index.update([
        indexUpdate('s1', 0, ['a'], {
          files: [
            ['src/auth/token-cache.ts', 3],
            ['test/token-cache.ts', 1],
          ],
        }),
        indexUpdate('s2', 0, ['a'], {
          files: [
            ['token-cache.ts', 2],
            ['src/auth/token-cache.ts.bak', 9],
          ],
        }),
      ]);
      const view = await look();
      const named = (path: string) =>
        view
          .sourcesWithFile(path)
          .map(({ source, times }) => `${view.sources([source])[0]?.name} ${times}`)
          .sort();
      expect(named('token-cache.ts')).toEqual(['s1 4', 's2 2']);
      expect(named('auth/token-cache.ts')).toEqual(['s1 3']);
      expect(named('src/auth/token-cache.ts')).toEqual(['s1 3']);
      expect([named('cache.ts'), named('h/token-cache.ts'), named('src/auth'), named('')]).toEqual([
        [],
        [],
        [],
        [],
      ]);
    });

    test('terms that begin alike come commonest first', async () => {
      await index.update([indexUpdate('s1', 0, ['cab car car', 'car cat', 'cat dog', 'cat'])]);
      await index.update([indexUpdate('s2', 0, ['cab cat', '東京 東西'])]);
      const view = await look();
      expect(view.termsFrom('ca', 9)).toEqual(['cat', 'cab', 'car']);
      expect(view.termsFrom('ca', 1)).toEqual(['cat']);
      expect(view.termsFrom('東', 9)).toHaveLength(2);
      expect([view.termsFrom('cattle', 9), view.termsFrom('%', 9), view.termsFrom('ca', 0)]).toEqual([
        [],
        [],
        [],
      ]);
    });

    test('any text can be a term', async () => {
      const terms = [
        'a"b',
        "'; DROP TABLE x",
        'nul\0nul',
        '\u{1f600}',
        '\ufffd',
        '*',
        '@Ada',
        'x'.repeat(5000),
        '\uffff',
      ];
      await index.update([indexUpdate('s1', 0, [], { to: 10, lines: [indexLine(0, '', { terms })] })]);
      const view = await look();
      for (const term of terms) expect(found(view, term), JSON.stringify(term)).toEqual(['s1 0']);
      expect(view.termsFrom('', 100).toSorted()).toEqual(terms.toSorted());
    });

    test('marks are left with an update, one key at a time', async () => {
      await index.update([], { a: '1', b: '1' });
      await index.update([indexUpdate('s1', 0, ['x'])], { a: '2', __proto__x: '3' });
      expect(await index.marks()).toEqual(
        new Map([
          ['a', '2'],
          ['b', '1'],
          ['__proto__x', '3'],
        ]),
      );
    });

    test('a view stays as it is while the index changes', async () => {
      await index.update([indexUpdate('s1', 0, ['a'])]);
      const view = await look();
      await index.update([indexUpdate('s2', 0, ['a b'])]);
      await index.remove(PROJECT, 'session', 's1');
      await index.tidy();
      expect(found(view, 'a')).toEqual(['s1 0']);
      expect([view.lineCount, view.role.length, view.termsFrom('', 9)]).toEqual([1, 1, ['a']]);
      expect(found(await look(), 'a')).toEqual(['s2 0']);
    });

    test('tidying changes nothing that can be seen', async () => {
      for (let n = 0; n < 40; n++) {
        await index.update([indexUpdate(`s${n % 5}`, Math.floor(n / 5) * 10, [`word${n} all`])]);
      }
      const before = await look();
      const expected = found(before, 'all');
      expect(expected).toHaveLength(40);
      await index.tidy();
      await index.remove(PROJECT, 'session', 's3');
      await index.remove(PROJECT, 'session', 's4');
      await index.tidy();
      const after = await look();
      expect(found(after, 'all')).toEqual(expected.filter((line) => !/^s[34]/.test(line)));
      expect(found(after, 'word12')).toEqual(['s2 20']);
      expect(found(after, 'word13')).toEqual([]);
      await index.update([indexUpdate('s0', 80, ['all'])]);
      expect(found(await look(), 'all')).toContain('s0 80');
    });

    test('much at once is done one after the other', async () => {
      const names = Array.from({ length: 20 }, (_, n) => `s${n}`);
      const [first] = await Promise.all([
        index.view(),
        ...names.map((name) => index.update([indexUpdate(name, 0, ['all'])])),
        index.tidy(),
        ...names.map((name) => index.update([indexUpdate(name, 10, ['all'])])),
        index.remove(PROJECT, 'session', 's7'),
        index.tidy(),
        index.cursors(),
      ]);
      views.push(first);
      expect(found(await look(), 'all')).toHaveLength(38);
      await Promise.all([index.destroy(), index.update([indexUpdate('s1', 0, ['after'])])]);
      expect(found(await look(), 'after')).toEqual(['s1 0']);
    });

    test('a destroyed index is empty and can be filled again', async () => {
      await index.update([indexUpdate('s1', 0, ['a'])], { gen: '1' });
      await index.destroy();
      expect((await look()).lineCount).toBe(0);
      expect([await index.cursors(), await index.marks()]).toEqual([new Map(), new Map()]);
      await index.update([indexUpdate('s1', 0, ['b'])]);
      expect(found(await look(), 'b')).toEqual(['s1 0']);
    });
  });
}
