import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ROLE, ROLES } from '../../core/model/search.ts';
import type { IndexView, LinePlace, OnlySources, Postings, SourceRow } from '../../ports/search-index.ts';
import { type ColumnName, readColumn } from './columns.ts';
import type { KnownIndex } from './connection.ts';
import type { Counts } from './counts.ts';
import { unpackTime } from './pack-time.ts';
import { afterPrefix, pathKey } from './path-key.ts';
import { decodePostings, type PostingRow } from './posting-codec.ts';
import { corruptIndex, sqliteFault } from './sqlite-fault.ts';

const SOURCE =
  'SELECT id, project, kind, name, agent, file, engine, branch, title, first, last, "by" FROM sources';
/** Segments outside, terms inside: one lookup per segment, never a scan. */
const POSTINGS =
  'SELECT p.count, p.data FROM segments s CROSS JOIN postings p ON p.segment = s.id AND p.term = ? ORDER BY s.place';
const COUNT =
  'SELECT sum(p.count) AS n FROM segments s CROSS JOIN postings p ON p.segment = s.id AND p.term = ?';
/** One row with all numbers: a row each takes longer to make than to find. */
const IN_PROJECTS =
  'SELECT group_concat(id) AS ids FROM sources WHERE project IN (SELECT value FROM json_each(?))';
const MINE = `${IN_PROJECTS} AND kind = 'session' AND "by" = '' AND name <> ? AND NOT (engine > 0 AND engine < ?)`;
const RUNS =
  'SELECT source, first, count FROM runs WHERE source IN (SELECT value FROM json_each(?)) ORDER BY source, first';
const TERMS =
  'SELECT p.term, p.count, p.data FROM segments s CROSS JOIN postings p ON p.segment = s.id AND p.term >= ? AND p.term < ?';
const COMMONEST = `SELECT term, sum(count) AS n FROM (${TERMS}) GROUP BY term ORDER BY n DESC, term LIMIT ?`;

/** Postings that are kept decoded: 10 MB. */
const MOST_HELD = 2_000_000;

/** Reads on a connection that is in a read transaction; each column is read when it is first asked for. */
export class SqliteView implements IndexView {
  readonly lineCount: number;
  readonly sourceCount: number;
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #counts: Counts;
  readonly #release: () => void;
  readonly #known: KnownIndex;

  constructor(
    db: DatabaseSync,
    path: string,
    { counts, known }: { counts: Counts; known: KnownIndex },
    release: () => void,
  ) {
    this.lineCount = counts.lines;
    this.sourceCount = counts.sources;
    this.#db = db;
    this.#path = path;
    this.#counts = counts;
    this.#known = known;
    this.#release = release;
  }

  get length(): Uint16Array {
    return this.#column('length', this.lineCount, Uint16Array);
  }

  get role(): Uint8Array {
    return this.#column('role', this.lineCount, Uint8Array);
  }

  get flags(): Uint8Array {
    return this.#column('flags', this.lineCount, Uint8Array);
  }

  get exchange(): Uint32Array {
    return this.#column('exchange', this.lineCount, Uint32Array);
  }

  get source(): Uint32Array {
    return this.#column('source', this.#counts.exchanges, Uint32Array);
  }

  totals(): { lines: Uint32Array; terms: Uint32Array; sources: number } {
    const count = ROLES * this.sourceCount;
    return {
      lines: this.#column('roleLines', count, Uint32Array),
      terms: this.#column('roleTerms', count, Uint32Array),
      sources: this.sourceCount,
    };
  }

  postings(term: string): Postings {
    const known = this.#known;
    let found = known.postings.get(term);
    if (found) return found;
    found = this.#try(() => {
      const rows = this.#prepare(POSTINGS).all(term.toWellFormed()) as PostingRow[];
      return this.#live(this.#decode(rows));
    });
    known.held += found.lines.length + 1;
    if (known.held > MOST_HELD) {
      known.postings.clear();
      known.held = found.lines.length + 1;
    }
    known.postings.set(term, found);
    return found;
  }

  linesWith(term: string): number {
    // For removed sources, only their lines can answer this.
    if (this.#counts.removed > 0) return this.postings(term).lines.length;
    return this.#try(() => Number(this.#prepare(COUNT).get(term.toWellFormed())?.n ?? 0));
  }

  termsFrom(prefix: string, limit: number): string[] {
    const from = prefix.toWellFormed();
    return this.#try(() => {
      if (this.#counts.removed === 0) {
        const rows = this.#prepare(COMMONEST).all(from, afterPrefix(from), limit);
        return rows.map(({ term }) => String(term));
      }
      return this.#liveTerms(from).slice(0, limit);
    });
  }

  sources(ids?: Iterable<number>): SourceRow[] {
    return this.#try(() => {
      const rows = ids
        ? Array.from(ids, (id) => this.#prepare(`${SOURCE} WHERE id = ?`).get(id))
        : this.#prepare(`${SOURCE} ORDER BY id`).all();
      return rows.flatMap((row) => (row ? [{ ...row } as SourceRow] : []));
    });
  }

  sourcesIn(projects: readonly string[], only?: OnlySources): number[] {
    return this.#try(() => {
      const asked = JSON.stringify(projects);
      const row = only
        ? this.#prepare(MINE).get(asked, only.except, only.engine)
        : this.#prepare(IN_PROJECTS).get(asked);
      if (typeof row?.ids !== 'string') return [];
      return row.ids
        .split(',')
        .map(Number)
        .sort((a, b) => a - b);
    });
  }

  runsOf(sources: readonly number[]): Map<number, [number, number][]> {
    return this.#try(() => {
      const found = new Map(sources.map((source) => [source, [] as [number, number][]]));
      for (const { source, first, count } of this.#prepare(RUNS).all(JSON.stringify(sources)))
        found.get(Number(source))?.push([Number(first), Number(count)]);
      return found;
    });
  }

  runs(source: number): [number, number][] {
    return this.#try(() => {
      const rows = this.#prepare('SELECT first, count FROM runs WHERE source = ? ORDER BY first').all(source);
      return rows.map(({ first, count }) => [Number(first), Number(count)]);
    });
  }

  places(lines: number[]): LinePlace[] {
    return this.#try(() => {
      const one = this.#prepare('SELECT at, bytes, src, ts FROM places WHERE line = ?');
      return lines.map((line) => {
        const row = one.get(line) as
          | { at: number; bytes: number; src: number; ts: number | string }
          | undefined;
        if (!row) throw corruptIndex(this.#path);
        return { at: row.at, bytes: row.bytes, src: row.src, ts: unpackTime(row.ts) };
      });
    });
  }

  sourcesWithFile(path: string): { source: number; times: number }[] {
    const key = pathKey(path);
    if (key === '') return [];
    return this.#try(() => {
      const rows = this.#prepare(
        'SELECT source, sum(times) AS times FROM files WHERE key >= ? AND key < ? GROUP BY source ORDER BY source',
      ).all(key, afterPrefix(key));
      return rows.map(({ source, times }) => ({ source: Number(source), times: Number(times) }));
    });
  }

  close(): void {
    this.#release();
  }

  #column<T extends Uint8Array | Uint16Array | Uint32Array>(
    name: ColumnName,
    count: number,
    make: new (bytes: ArrayBuffer) => T,
  ): T {
    let column = this.#known.columns.get(name);
    if (!column) {
      column = new make(this.#try(() => readColumn(this.#db, name, count, this.#path)));
      this.#known.columns.set(name, column);
    }
    return column as T;
  }

  #decode(rows: PostingRow[]): Postings {
    const found = decodePostings(rows, this.lineCount);
    if (!found) throw corruptIndex(this.#path);
    return found;
  }

  /** Without the lines of removed sources, so that a term counts the same however the index was made. */
  #live(all: Postings): Postings {
    if (this.#counts.removed === 0) return all;
    const { role } = this;
    const { lines, counts } = all;
    let kept = 0;
    for (let n = 0; n < lines.length; n++) {
      if (role[lines[n]!] === ROLE.removed) continue;
      lines[kept] = lines[n]!;
      counts[kept++] = counts[n]!;
    }
    return { lines: lines.subarray(0, kept), counts: counts.subarray(0, kept) };
  }

  #liveTerms(from: string): string[] {
    const counts = new Map<string, number>();
    for (const row of this.#prepare(TERMS).iterate(from, afterPrefix(from))) {
      const part = row as PostingRow & { term: string };
      const count = this.#live(this.#decode([part])).lines.length;
      if (count > 0) counts.set(part.term, (counts.get(part.term) ?? 0) + count);
    }
    const bytes = (term: string) => Buffer.from(term);
    return [...counts]
      .sort(([a, n], [b, m]) => m - n || Buffer.compare(bytes(a), bytes(b)))
      .map(([term]) => term);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#known.statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#known.statements.set(sql, statement);
    }
    return statement;
  }

  #try<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteFault(error, this.#path);
    }
  }
}
