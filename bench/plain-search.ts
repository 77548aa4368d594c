// Baselines for search: SQLite's FTS5, and plain BM25.
import { DatabaseSync } from 'node:sqlite';
import { STOP_WORDS } from '../src/core/text/stop-words.ts';
import { termsOf } from '../src/core/text/terms.ts';

/** Indexes of the best texts, best first. */
export type PlainSearch = (query: string, limit: number) => number[];

/** FTS5 with the Porter stemmer, words joined by OR, ranked by its bm25(). */
export function plainFts(texts: Iterable<string>, options: { stopWords: 'in' | 'out' }): PlainSearch {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter unicode61', content = '')`);
  const insert = db.prepare('INSERT INTO t(rowid, text) VALUES (?, ?)');
  db.exec('BEGIN');
  let number = 0;
  for (const text of texts) insert.run(++number, text);
  db.exec('COMMIT');
  const select = db.prepare('SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t), rowid LIMIT ?');
  return (query, limit) => {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])];
    const kept = options.stopWords === 'in' ? words : words.filter((word) => !STOP_WORDS.has(word));
    if (kept.length === 0) return [];
    const match = kept.map((word) => `"${word}"`).join(' OR ');
    return select.all(match, limit).map(({ rowid }) => Number(rowid) - 1);
  };
}

/** BM25 over Keepsake's own terms. */
export function plainBm25(texts: string[], { k1, b }: { k1: number; b: number }): PlainSearch {
  const lengths: number[] = [];
  const postings = new Map<string, Map<number, number>>();
  for (const [number, text] of texts.entries()) {
    const terms = termsOf(text);
    lengths.push(terms.length);
    for (const term of terms) {
      const lines = postings.get(term) ?? new Map<number, number>();
      postings.set(term, lines.set(number, (lines.get(number) ?? 0) + 1));
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return (query, limit) => {
    const score = new Map<number, number>();
    for (const term of new Set(termsOf(query))) {
      const lines = postings.get(term);
      if (!lines) continue;
      const idf = Math.log(1 + (texts.length - lines.size + 0.5) / (lines.size + 0.5));
      for (const [number, count] of lines) {
        const norm = k1 * (1 - b + (b * lengths[number]!) / average);
        score.set(number, (score.get(number) ?? 0) + (idf * count * (k1 + 1)) / (count + norm));
      }
    }
    const ranked = [...score].sort(([a, x], [c, y]) => y - x || a - c);
    return ranked.slice(0, limit).map(([number]) => number);
  };
}
