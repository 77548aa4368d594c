import { Fault } from '../../src/core/model/fault.ts';
import { type IndexLine, ROLE, ROLES, type SourceUpdate } from '../../src/core/model/search.ts';
import type { IndexCursor, IndexView, SearchIndex, SourceRow } from '../../src/ports/search-index.ts';

const keyOf = ({ project, kind, name }: Pick<SourceUpdate, 'project' | 'kind' | 'name'>) =>
  `${project}/${kind}/${name}`;

const cursorOf = ({ to, engine, file, title, branch, by = '' }: SourceUpdate): IndexCursor => ({
  by,
  to,
  engine,
  file,
  title,
  branch,
});

/** The index as plainly as it can be said: sources with all their lines, counted through at each question. */
export function memoryIndex(): SearchIndex {
  let sources = new Map<string, SourceUpdate>();
  let marks = new Map<string, string>();
  return {
    cursors: async () => new Map([...sources].map(([key, source]) => [key, cursorOf(source)])),
    cursor: async (project, kind, name) => {
      const source = sources.get(`${project}/${kind}/${name}`);
      return source && cursorOf(source);
    },
    marks: async () => new Map(marks),
    async update(updates, left = {}) {
      const next = new Map(sources);
      for (const update of updates) {
        const key = keyOf(update);
        const old = next.get(key);
        const goesOn = old?.to === update.from && old.engine === update.engine && old.file === update.file;
        if (!goesOn && update.from !== 0) throw new Fault('conflict', 'It stands elsewhere.');
        const lines = structuredClone([...(goesOn ? old.lines : []), ...update.lines]);
        next.set(key, { ...structuredClone(update), lines });
      }
      sources = next;
      marks = new Map([...marks, ...Object.entries(left)]);
    },
    async remove(project, kind, name) {
      const next = new Map(sources);
      next.delete(`${project}/${kind}/${name}`);
      sources = next;
    },
    view: async () => viewOf([...sources.values()]),
    tidy: async () => {},
    async destroy() {
      sources = new Map();
      marks = new Map();
    },
    state: async () => ({
      usable: true,
      version: 1,
      bytes: 0,
      lines: [...sources.values()].reduce((sum, { lines }) => sum + lines.length, 0),
    }),
    close: async () => {},
  };
}

function viewOf(sources: SourceUpdate[]): IndexView {
  const lines: IndexLine[] = [];
  const exchange: number[] = [];
  const owner: number[] = [];
  const runs: [number, number][][] = [];
  for (const [id, source] of sources.entries()) {
    runs.push(source.lines.length > 0 ? [[lines.length, source.lines.length]] : []);
    for (const [n, line] of source.lines.entries()) {
      if (n === 0 || line.startsExchange) owner.push(id);
      exchange.push(owner.length - 1);
      lines.push(line);
    }
  }
  const row = (id: number): SourceRow | undefined => {
    const source = sources[id];
    if (!source) return undefined;
    const { project, kind, name, agent, file, engine, branch, title, first, last, by = '' } = source;
    return { id, project, kind, name, agent, file, engine, branch, title, first, last, by };
  };
  const times = (line: IndexLine, term: string) => line.terms.filter((other) => other === term).length;
  const postings = (term: string) => {
    const found = lines.flatMap((line, n) => (times(line, term) > 0 ? [n] : []));
    return {
      lines: Uint32Array.from(found),
      counts: Uint8Array.from(found, (n) => Math.min(255, times(lines[n]!, term))),
    };
  };
  return {
    lineCount: lines.length,
    sourceCount: sources.length,
    length: Uint16Array.from(lines, ({ terms }) => Math.min(terms.length, 65_535)),
    role: Uint8Array.from(lines, ({ role }) => ROLE[role]),
    flags: Uint8Array.from(lines, ({ flags }) => flags),
    exchange: Uint32Array.from(exchange),
    source: Uint32Array.from(owner),
    totals: () => {
      const totals = {
        lines: new Uint32Array(ROLES * sources.length),
        terms: new Uint32Array(ROLES * sources.length),
      };
      for (const [n, { role, terms }] of lines.entries()) {
        const at = ROLES * owner[exchange[n]!]! + ROLE[role];
        totals.lines[at]!++;
        totals.terms[at]! += Math.min(terms.length, 65_535);
      }
      return { ...totals, sources: sources.length };
    },
    postings,
    linesWith: (term) => postings(term).lines.length,
    termsFrom(prefix, limit) {
      const terms = new Set(lines.flatMap((line) => line.terms.filter((term) => term.startsWith(prefix))));
      return [...terms]
        .map((term) => ({ term, count: postings(term).lines.length }))
        .sort((a, b) => b.count - a.count || Buffer.compare(Buffer.from(a.term), Buffer.from(b.term)))
        .slice(0, limit)
        .map(({ term }) => term);
    },
    sources: (ids) => [...(ids ?? sources.keys())].flatMap((id) => row(id) ?? []),
    sourcesIn: (projects, only) =>
      sources.flatMap(({ project, kind, name, engine, by = '' }, id) => {
        const isMine = kind === 'session' && by === '' && name !== only?.except;
        const isRead = engine === 0 || engine >= (only?.engine ?? 0);
        return projects.includes(project) && (!only || (isMine && isRead)) ? [id] : [];
      }),
    runs: (id) => runs[id] ?? [],
    runsOf: (ids) => new Map(ids.map((id) => [id, runs[id] ?? []])),
    places: (numbers) =>
      numbers.map((n) => {
        const { at, bytes, src, ts } = lines[n]!;
        return { at, bytes, src, ts };
      }),
    sourcesWithFile(path) {
      const end = `/${path}`;
      return sources.flatMap(({ files }, source) => {
        const found = files.filter(([file]) => `/${file}`.endsWith(end));
        return found.length > 0 ? [{ source, times: found.reduce((sum, [, n]) => sum + n, 0) }] : [];
      });
    },
    close() {},
  };
}
