// The search index beside a plain FTS5 table that contains the same lines: npm run bench -- index [LINES...]
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSearchIndex } from '../src/adapters/index-sqlite/open-search-index.ts';
import { toProjectId } from '../src/core/model/ids.ts';
import type { SourceUpdate } from '../src/core/model/search.ts';
import { termsOf } from '../src/core/text/terms.ts';
import type { SearchIndex } from '../src/ports/search-index.ts';
import { isMain, mebibytes, median, percentile, table } from './bench-table.ts';

const WORDS = 30_000;
const LINES_A_SOURCE = 500;
const SOURCES_A_BATCH = 20;
const ROUNDS = 200;

export async function run(args: string[]): Promise<void> {
  const sizes = args.length > 0 ? args.map(Number) : [10_000, 100_000, 1_000_000];
  for (const lines of sizes) await runSize(lines);
}

async function runSize(lines: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keepsake-bench-'));
  const path = join(folder, 'index.sqlite');
  const index = openSearchIndex(path);
  const fts = new DatabaseSync(join(folder, 'fts.sqlite'));
  fts.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter')",
  );
  const insert = fts.prepare('INSERT INTO t VALUES (?)');
  const spent = { terms: 0, update: 0, fts: 0 };
  const timed = async (what: keyof typeof spent, work: () => unknown) => {
    const began = performance.now();
    await work();
    spent[what] += performance.now() - began;
  };
  let bytes = 0;
  const next = makeLines(7);
  for (let done = 0; done < lines; ) {
    const texts = Array.from({ length: Math.min(lines - done, LINES_A_SOURCE * SOURCES_A_BATCH) }, next);
    for (const text of texts) bytes += text.length;
    let updates: SourceUpdate[] = [];
    await timed('terms', () => {
      updates = toUpdates(texts, done);
    });
    await timed('update', () => index.update(updates));
    await timed('fts', () => {
      fts.exec('BEGIN');
      for (const text of texts) insert.run(text);
      fts.exec('COMMIT');
    });
    done += texts.length;
  }
  const tidy = await once(() => index.tidy());
  await timed('fts', () => fts.exec("INSERT INTO t(t) VALUES ('optimize'); PRAGMA wal_checkpoint(TRUNCATE)"));
  const last = toUpdates([next(), next()], lines)[0]!;
  const small = await once(() => index.update([last]));
  await index.close();

  console.log(`\n${lines.toLocaleString('en')} lines, ${mebibytes(bytes)} MB of text`);
  const speed = (ms: number) => (bytes / 1048576 / (ms / 1000)).toFixed(1);
  const size = async (name: string) => ((await stat(join(folder, name))).size / lines).toFixed(0);
  table(
    ['', 'MB/s', 'bytes per line', 'optimize ms', 'one more line ms'],
    [
      [
        'index, terms precomputed',
        speed(spent.update),
        await size('index.sqlite'),
        tidy.toFixed(1),
        small.toFixed(2),
      ],
      ['index, terms computed', speed(spent.update + spent.terms), '', '', ''],
      ['FTS5', speed(spent.fts), await size('fts.sqlite'), '', ''],
    ],
  );
  await lookUps(openSearchIndex(path), fts);
  fts.close();
  await rm(folder, { recursive: true });
}

async function lookUps(index: SearchIndex, fts: DatabaseSync): Promise<void> {
  const first = await once(async () => (await index.view()).close());
  const opened: number[] = [];
  const columns: number[] = [];
  for (let n = 0; n < 50; n++) {
    const began = performance.now();
    const view = await index.view();
    opened.push(performance.now() - began);
    void (
      view.length.length +
      view.role.length +
      view.flags.length +
      view.exchange.length +
      view.source.length
    );
    columns.push(performance.now() - began);
    view.close();
  }
  const ms = (values: number[]) => [median(values).toFixed(3), percentile(values, 95).toFixed(3)];
  table(
    ['view()', 'p50 ms', 'p95 ms'],
    [
      ['first open', first.toFixed(3), ''],
      ['second open', ...ms(opened)],
      ['with every column', ...ms(columns)],
    ],
  );
  const view = await index.view();
  const match = fts.prepare('SELECT rowid, bm25(t) AS score FROM t WHERE t MATCH ? ORDER BY score LIMIT 10');
  const random = randomFrom(11);
  const rows: string[][] = [];
  for (const [kind, low, high] of [
    ['rare', 8000, 30_000],
    ['medium', 300, 1000],
    ['common', 0, 20],
  ] as const) {
    const [ours, theirs, sizes]: number[][] = [[], [], []];
    for (let n = 0; n < (kind === 'rare' ? ROUNDS : ROUNDS / 4); n++) {
      const text = word(low + Math.floor(random() * (high - low)));
      const term = termsOf(text)[0]!;
      ours!.push(await once(() => sizes!.push(view.postings(term).lines.length)));
      theirs!.push(await once(() => match.all(`"${text}"`)));
    }
    rows.push([kind, median(sizes!).toFixed(0), ...ms(ours!), ...ms(theirs!)]);
  }
  view.close();
  await index.close();
  table(['one term', 'its lines', 'postings() p50 ms', 'p95', 'FTS5 + bm25 p50 ms', 'p95'], rows);
}

async function once(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function toUpdates(texts: string[], from: number): SourceUpdate[] {
  const updates: SourceUpdate[] = [];
  for (let n = 0; n < texts.length; n += LINES_A_SOURCE) {
    const own = texts.slice(n, n + LINES_A_SOURCE);
    updates.push({
      project: toProjectId('-made-up'),
      kind: 'session',
      name: `session-${from + n}`,
      agent: 'claude-code',
      file: `memory/sessions/${from + n}.l1.jsonl`,
      from: 0,
      to: own.length * 200,
      engine: 1,
      branch: 'main',
      title: 'made up',
      first: '2026-01-01T00:00:00.000Z',
      last: '2026-01-02T00:00:00.000Z',
      files: [['src/made/up.ts', 3]],
      lines: own.map((text, line) => ({
        role: line % 4 === 0 ? 'user' : 'assistant',
        flags: 0,
        ts: `2026-01-01T10:${String(line % 60).padStart(2, '0')}:00.000Z`,
        at: line * 200,
        bytes: 200,
        src: line * 5000,
        startsExchange: line % 8 === 0,
        terms: termsOf(text),
      })),
    });
  }
  return updates;
}

/** Lines of 5 to 45 words: common words far more often, and sometimes a name that occurs nowhere else. */
function makeLines(seed: number): () => string {
  const random = randomFrom(seed);
  return () => {
    const words: string[] = [];
    const count = 5 + Math.floor(random() * 40);
    for (let n = 0; n < count; n++) {
      words.push(
        random() < 0.01
          ? `name${Math.floor(random() * 1e9).toString(36)}`
          : word(Math.floor(WORDS ** random()) - 1),
      );
    }
    return words.join(' ');
  };
}

function word(number: number): string {
  const consonants = 'bdfgklmnprstvz';
  const vowels = 'aeiou';
  let rest = number + 1;
  let made = '';
  while (rest > 0) {
    made += consonants[rest % 14]! + vowels[Math.floor(rest / 14) % 5]!;
    rest = Math.floor(rest / 70);
  }
  return `${made}k`;
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
