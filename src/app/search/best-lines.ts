import type { IndexView } from '../../ports/search-index.ts';

type Accept = (line: number) => boolean;

/** Of each exchange the line that contains most of the terms: the one to show. */
export function bestLines(
  view: IndexView,
  exchanges: Iterable<number>,
  terms: string[],
  accept: Accept,
): Map<number, number> {
  const { exchange } = view;
  const wanted = new Uint8Array(view.source.length);
  for (const one of exchanges) wanted[one] = 1;
  const best = new Map<number, number>();
  for (const line of linesByTerms(view, terms, (line) => wanted[exchange[line]!] === 1 && accept(line)))
    if (!best.has(exchange[line]!)) best.set(exchange[line]!, line);
  return best;
}

/** Lines that hold some of the terms, those with most of them first. */
export function linesByTerms(view: IndexView, terms: string[], accept: Accept): number[] {
  const held = new Map<number, number>();
  for (const term of new Set(terms))
    for (const line of view.postings(term).lines) if (accept(line)) held.set(line, (held.get(line) ?? 0) + 1);
  return [...held].sort(([a, x], [b, y]) => y - x || a - b).map(([line]) => line);
}

export function firstLine(view: IndexView, source: number, accept: Accept): number {
  for (const [first, count] of view.runs(source))
    for (let line = first; line < first + count; line++) if (accept(line)) return line;
  return -1;
}
