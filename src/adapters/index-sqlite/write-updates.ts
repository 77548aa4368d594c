import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Fault } from '../../core/model/fault.ts';
import { type IndexLine, ROLE, ROLES, type SourceUpdate } from '../../core/model/search.ts';
import { ColumnWriter } from './columns.ts';
import { type Counts, readCounts, writeCounts } from './counts.ts';
import { packTime } from './pack-time.ts';
import { pathKey } from './path-key.ts';
import { TermBatch } from './term-batch.ts';

/** A batch is written in pieces of about this many postings: 20 MB of arrays, whatever the batch. */
export const BATCH_POSTINGS = 2_000_000;
const LONGEST = 65_535;
const NONE = -1;

type StoredSource = { id: number; to: number; engine: number; file: string; exchange: number };

/** Within one transaction; a fault leaves nothing behind. */
export function writeUpdates(
  db: DatabaseSync,
  path: string,
  updates: SourceUpdate[],
  piece = BATCH_POSTINGS,
): void {
  const batch = new Batch(db, readCounts(db, path), piece);
  for (const update of updates) batch.write(update);
  batch.finish();
}

export function removeSource(
  db: DatabaseSync,
  path: string,
  { project, kind, name }: { project: string; kind: string; name: string },
): void {
  const batch = new Batch(db, readCounts(db, path), BATCH_POSTINGS);
  const stored = batch.find(project, kind, name);
  if (!stored) return;
  batch.removeLines(stored.id);
  db.prepare('DELETE FROM files WHERE source = ?').run(stored.id);
  db.prepare('DELETE FROM sources WHERE id = ?').run(stored.id);
  batch.finish();
}

class Batch {
  readonly #db: DatabaseSync;
  readonly #counts: Counts;
  readonly #piece: number;
  readonly #terms = new TermBatch();
  readonly #length: ColumnWriter;
  readonly #role: ColumnWriter;
  readonly #flags: ColumnWriter;
  readonly #exchange: ColumnWriter;
  readonly #source: ColumnWriter;
  readonly #roleLines: ColumnWriter;
  readonly #roleTerms: ColumnWriter;
  readonly #place: StatementSync;
  readonly #file: StatementSync;

  constructor(db: DatabaseSync, counts: Counts, piece: number) {
    this.#db = db;
    this.#counts = counts;
    this.#piece = piece;
    this.#length = new ColumnWriter(db, 'length');
    this.#role = new ColumnWriter(db, 'role');
    this.#flags = new ColumnWriter(db, 'flags');
    this.#exchange = new ColumnWriter(db, 'exchange');
    this.#source = new ColumnWriter(db, 'source');
    this.#roleLines = new ColumnWriter(db, 'roleLines');
    this.#roleTerms = new ColumnWriter(db, 'roleTerms');
    this.#place = db.prepare('INSERT INTO places VALUES (?, ?, ?, ?, ?)');
    this.#file = db.prepare(
      'INSERT INTO files VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET times = times + excluded.times',
    );
  }

  find(project: string, kind: string, name: string): StoredSource | undefined {
    return this.#db
      .prepare(
        'SELECT id, "to", engine, file, exchange FROM sources WHERE project = ? AND kind = ? AND name = ?',
      )
      .get(project, kind, name) as StoredSource | undefined;
  }

  write(update: SourceUpdate): void {
    const { project, kind, name } = update;
    const stored = this.find(project, kind, name);
    const goesOn =
      stored !== undefined &&
      stored.to === update.from &&
      stored.engine === update.engine &&
      stored.file === update.file;
    if (!goesOn && update.from !== 0) {
      throw new Fault(
        'conflict',
        `The index is at another position in ${name} than this update starts from.`,
      );
    }
    if (stored && !goesOn) this.removeLines(stored.id);
    const id = stored?.id ?? this.#counts.sources++;
    if (!stored) this.#forgetTotals(id);
    const first = this.#counts.lines;
    let exchange = goesOn ? stored.exchange : NONE;
    for (const line of update.lines) {
      if (line.startsExchange || exchange === NONE) {
        exchange = this.#counts.exchanges++;
        this.#source.set(exchange, id);
      }
      this.#line(line, exchange, id);
    }
    if (update.lines.length > 0) this.#run(id, first, update.lines.length);
    this.#about(id, update, exchange);
  }

  removeLines(source: number): void {
    for (const { first, count } of this.#db
      .prepare('SELECT first, count FROM runs WHERE source = ?')
      .all(source)) {
      for (let line = Number(first); line < Number(first) + Number(count); line++)
        this.#role.set(line, ROLE.removed);
      this.#db
        .prepare('DELETE FROM places WHERE line >= ? AND line < ?')
        .run(Number(first), Number(first) + Number(count));
      this.#counts.removed += Number(count);
    }
    this.#db.prepare('DELETE FROM runs WHERE source = ?').run(source);
    this.#forgetTotals(source);
  }

  #forgetTotals(source: number): void {
    for (let role = 0; role < ROLES; role++) {
      this.#roleLines.set(ROLES * source + role, 0);
      this.#roleTerms.set(ROLES * source + role, 0);
    }
  }

  finish(): void {
    this.#flush();
    for (const column of [this.#length, this.#role, this.#flags, this.#exchange, this.#source])
      column.write();
    for (const column of [this.#roleLines, this.#roleTerms]) column.write();
    writeCounts(this.#db, this.#counts);
  }

  #line(line: IndexLine, exchange: number, source: number): void {
    const number = this.#counts.lines++;
    const length = Math.min(line.terms.length, LONGEST);
    this.#roleLines.add(ROLES * source + ROLE[line.role], 1);
    this.#roleTerms.add(ROLES * source + ROLE[line.role], length);
    this.#length.set(number, length);
    this.#role.set(number, ROLE[line.role]);
    this.#flags.set(number, line.flags);
    this.#exchange.set(number, exchange);
    this.#place.run(number, line.at, line.bytes, line.src, packTime(line.ts));
    this.#terms.add(number, line.terms);
    if (this.#terms.size >= this.#piece) this.#flush();
  }

  #flush(): void {
    if (this.#terms.size === 0) return;
    const segment = this.#counts.segments++;
    this.#db.prepare('INSERT INTO segments VALUES (?, ?, ?)').run(segment, segment, this.#terms.size);
    const insert = this.#db.prepare('INSERT INTO postings VALUES (?, ?, ?, ?)');
    this.#terms.flush((term, count, data) => insert.run(segment, term, count, data));
  }

  #run(source: number, first: number, count: number): void {
    const { changes } = this.#db
      .prepare('UPDATE runs SET count = count + ? WHERE source = ? AND first + count = ?')
      .run(count, source, first);
    if (changes === 0) this.#db.prepare('INSERT INTO runs VALUES (?, ?, ?)').run(source, first, count);
  }

  #about(id: number, update: SourceUpdate, exchange: number): void {
    const { project, kind, name, agent, file, branch, title, first, last, to, engine, by = '' } = update;
    this.#db
      .prepare('INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(id, project, kind, name, agent, file, branch, title, first, last, to, engine, exchange, by);
    this.#db.prepare('DELETE FROM files WHERE source = ?').run(id);
    for (const [path, times] of update.files) this.#file.run(pathKey(path), id, times);
  }
}
