import { ROLES } from '../../core/model/search.ts';
import type {
  IndexView,
  LinePlace,
  OnlySources,
  Postings,
  SearchIndex,
  SourceRow,
} from '../../ports/search-index.ts';
import type { Timeline } from './timeline.ts';

/** Postings that are kept in the order of time. */
const MOST_HELD = 2_000_000;
/** Terms of the whole index that are looked at for one that was known. */
const MOST_TERMS = 200;

type Columns = Pick<IndexView, 'length' | 'role' | 'flags' | 'exchange' | 'source'>;

/**
 * The index with its sessions in the order in which they ended, renumbered: what was known at a time is its beginning, so
 * that nothing of what came later has any weight. What memory contains besides sessions is not in it.
 */
export class IndexByTime {
  readonly #view: IndexView;
  readonly #rows: (SourceRow | undefined)[];
  readonly #columns: Columns;
  readonly #totals: { lines: Uint32Array; terms: Uint32Array };
  /** By number of sessions, the lines and exchanges of all of them. */
  readonly #lineEnds: Uint32Array;
  readonly #exchangeEnds: Uint32Array;
  /** By line of the index, its number here, and the other way round. */
  readonly #here: Int32Array;
  readonly #there: Uint32Array;
  readonly #postings = new Map<string, Postings>();
  #held = 0;

  constructor(view: IndexView, timeline: Timeline) {
    this.#view = view;
    const bySession = new Map(
      view
        .sources()
        .filter(({ kind }) => kind === 'session')
        .map((row) => [`${row.project}/${row.name}`, row]),
    );
    this.#rows = timeline.ended.map(({ projectId, record }, id) => {
      const row = bySession.get(`${projectId}/${record.sessionId}`);
      return row && { ...row, id };
    });
    const runs = timeline.ended.map(({ projectId, record }) => {
      const row = bySession.get(`${projectId}/${record.sessionId}`);
      return row ? view.runs(row.id) : [];
    });
    const many = runs.flat().reduce((sum, [, count]) => sum + count, 0);
    this.#here = new Int32Array(view.lineCount).fill(-1);
    this.#there = new Uint32Array(many);
    this.#lineEnds = new Uint32Array(runs.length + 1);
    this.#exchangeEnds = new Uint32Array(runs.length + 1);
    const length = new Uint16Array(many);
    const [role, flags] = [new Uint8Array(many), new Uint8Array(many)];
    const exchange = new Uint32Array(many);
    const source: number[] = [];
    const totals = {
      lines: new Uint32Array(ROLES * runs.length),
      terms: new Uint32Array(ROLES * runs.length),
    };
    const { length: lengths, role: roles, flags: marks, exchange: exchanges } = view;
    let line = 0;
    runs.forEach((own, id) => {
      const numbers = new Map<number, number>();
      for (const [first, count] of own)
        for (let old = first; old < first + count; old++, line++) {
          this.#here[old] = line;
          this.#there[line] = old;
          length[line] = lengths[old]!;
          role[line] = roles[old]!;
          flags[line] = marks[old]!;
          let number = numbers.get(exchanges[old]!);
          if (number === undefined) {
            number = source.push(id) - 1;
            numbers.set(exchanges[old]!, number);
          }
          exchange[line] = number;
          totals.lines[ROLES * id + roles[old]!]!++;
          totals.terms[ROLES * id + roles[old]!]! += lengths[old]!;
        }
      this.#lineEnds[id + 1] = line;
      this.#exchangeEnds[id + 1] = source.length;
    });
    this.#columns = { length, role, flags, exchange, source: Uint32Array.from(source) };
    this.#totals = totals;
  }

  /** The state after this many sessions. */
  viewOf(known: number): IndexView {
    const lineCount = this.#lineEnds[known]!;
    const { length, role, flags, exchange, source } = this.#columns;
    const totals = {
      lines: this.#totals.lines.subarray(0, ROLES * known),
      terms: this.#totals.terms.subarray(0, ROLES * known),
      sources: known,
    };
    const runs = (id: number): [number, number][] => {
      const [first, end] = [this.#lineEnds[id]!, this.#lineEnds[id + 1]!];
      return end > first ? [[first, end - first]] : [];
    };
    const rows = this.#rows.slice(0, known);
    return {
      lineCount,
      sourceCount: known,
      length: length.subarray(0, lineCount),
      role: role.subarray(0, lineCount),
      flags: flags.subarray(0, lineCount),
      exchange: exchange.subarray(0, lineCount),
      source: source.subarray(0, this.#exchangeEnds[known]!),
      totals: () => totals,
      postings: (term) => firstOf(this.#byTime(term), lineCount),
      linesWith: (term) => firstOf(this.#byTime(term), lineCount).lines.length,
      termsFrom: (prefix, limit) => {
        const many = (term: string) => firstOf(this.#byTime(term), lineCount).lines.length;
        return this.#view
          .termsFrom(prefix, MOST_TERMS)
          .map((term) => ({ term, many: many(term) }))
          .filter((it) => it.many > 0)
          .sort((a, b) => b.many - a.many || (a.term < b.term ? -1 : 1))
          .slice(0, limit)
          .map(({ term }) => term);
      },
      sources: (ids) => {
        const asked = ids === undefined ? rows : Array.from(ids, (id) => rows[id]);
        return asked.flatMap((row) => (row ? [row] : []));
      },
      sourcesIn: (projects, only) =>
        rows.flatMap((row) =>
          row && projects.includes(row.project) && (!only || isOpen(row, only)) ? [row.id] : [],
        ),
      runs,
      runsOf: (ids) => new Map(ids.map((id) => [id, runs(id)])),
      places: (lines): LinePlace[] => this.#view.places(lines.map((line) => this.#there[line]!)),
      sourcesWithFile: (path) => {
        const known = new Map(this.#view.sourcesWithFile(path).map((it) => [it.source, it.times]));
        const old = new Map(this.#view.sources(known.keys()).map((row) => [row.name, row.id]));
        return rows.flatMap((row) => {
          const times = row && known.get(old.get(row.name) ?? -1);
          return times === undefined ? [] : [{ source: row!.id, times }];
        });
      },
      close: () => undefined,
    };
  }

  #byTime(term: string): Postings {
    let found = this.#postings.get(term);
    if (found) return found;
    const { lines, counts } = this.#view.postings(term);
    const pairs: [line: number, count: number][] = [];
    lines.forEach((old, at) => {
      const line = this.#here[old]!;
      if (line >= 0) pairs.push([line, counts[at]!]);
    });
    pairs.sort(([a], [b]) => a - b);
    found = {
      lines: Uint32Array.from(pairs, ([line]) => line),
      counts: Uint8Array.from(pairs, ([, count]) => count),
    };
    this.#held += pairs.length + 1;
    if (this.#held > MOST_HELD) {
      this.#postings.clear();
      this.#held = pairs.length + 1;
    }
    this.#postings.set(term, found);
    return found;
  }
}

function isOpen({ name, by, engine }: SourceRow, only: OnlySources): boolean {
  return by === '' && name !== only.except && !(engine > 0 && engine < only.engine);
}

/** As much of an index as hooks read. */
export function readOnlyIndex(base: SearchIndex, view: () => IndexView): SearchIndex {
  const nothing = async () => undefined;
  return {
    cursors: async () => new Map(),
    cursor: nothing,
    marks: async () => new Map(),
    update: nothing,
    remove: nothing,
    view: async () => view(),
    tidy: nothing,
    destroy: nothing,
    state: () => base.state(),
    close: nothing,
  };
}

function firstOf({ lines, counts }: Postings, end: number): Postings {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]! < end) low = middle + 1;
    else high = middle;
  }
  return { lines: lines.subarray(0, low), counts: counts.subarray(0, low) };
}
