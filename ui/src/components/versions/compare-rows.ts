import { diffWordsWithSpace } from 'diff';
import type { Comparison } from '../../api/records.ts';

export type ComparedLine = Comparison['lines'][number];
/** A line on both sides, or a run of lines that are gone, folded to one row. */
export type CompareRow =
  | { kind: 'line'; key: string; line: ComparedLine }
  | { kind: 'gone'; key: string; lines: ComparedLine[] };

/** Fewer lines are shown as they are. */
const LEAST_FOLDED = 2;

/** Lines with runs of those that are gone folded to one row each; `unfolded` holds the keys of those that are not. */
export function compareRows(lines: readonly ComparedLine[], unfolded: ReadonlySet<string>): CompareRow[] {
  const rows: CompareRow[] = [];
  let run: ComparedLine[] = [];
  const end = () => {
    const key = `gone ${run[0]?.l1Line}`;
    if (run.length >= LEAST_FOLDED) rows.push({ kind: 'gone', key, lines: run });
    if (run.length < LEAST_FOLDED || unfolded.has(key)) rows.push(...run.map(asRow));
    run = [];
  };
  for (const line of lines) {
    if (line.status === 'gone') run.push(line);
    else {
      end();
      rows.push(asRow(line));
    }
  }
  end();
  return rows;
}

const asRow = (line: ComparedLine): CompareRow => ({ kind: 'line', key: `line ${line.l1Line}`, line });

export type WordPiece = { text: string; differs: boolean };

/** Where the pieces that differ are in their text. */
export function differingRanges(pieces: readonly WordPiece[]): { start: number; end: number }[] {
  let at = 0;
  return pieces.flatMap(({ text, differs }) => {
    const start = at;
    at += text.length;
    return differs ? [{ start, end: at }] : [];
  });
}

/** Characters on both sides up to which words are compared: beyond it nobody reads them word by word. */
const MOST_COMPARED = 20_000;

/** Both texts in pieces: those that only one of them has differ. */
export function wordPieces(a: string, b: string): { a: WordPiece[]; b: WordPiece[] } {
  if (a.length + b.length > MOST_COMPARED)
    return { a: [{ text: a, differs: true }], b: [{ text: b, differs: true }] };
  const sides: { a: WordPiece[]; b: WordPiece[] } = { a: [], b: [] };
  for (const { value, added, removed } of diffWordsWithSpace(a, b)) {
    if (!added) sides.a.push({ text: value, differs: removed });
    if (!removed) sides.b.push({ text: value, differs: added });
  }
  return sides;
}
