import type { SearchIndex } from '../../src/ports/search-index.ts';
import { EVERYWHERE, PAIR } from './index-writer.ts';

/** What is wrong with an index filled by writers of pairs; empty if nothing is. */
export async function checkIndex(index: SearchIndex): Promise<string[]> {
  const wrong: string[] = [];
  const view = await index.view();
  const owner = new Map<number, string>();
  const counts = new Map<string, number>();
  for (const { id, name } of view.sources()) {
    const lines = view
      .runs(id)
      .flatMap(([first, count]) => Array.from({ length: count }, (_, n) => first + n));
    for (const [n, { at }] of view.places(lines).entries()) {
      if (at !== n * 10) wrong.push(`${name} has ${at} where ${n * 10} should be`);
      if (view.source[view.exchange[lines[n]!]!] !== id)
        wrong.push(`${name} ${at} belongs to another source`);
      owner.set(lines[n]!, name);
    }
    counts.set(name, lines.length);
  }
  for (const name of counts.keys()) {
    const lane = name.replace(/-left$/, '');
    if (lane !== name && counts.get(`${lane}-${PAIR[1]}`) !== counts.get(name))
      wrong.push(`${lane} is incomplete`);
  }
  const everywhere = view.postings(EVERYWHERE).lines;
  if (everywhere.length !== owner.size) wrong.push(`${everywhere.length} postings of ${owner.size} lines`);
  for (const line of everywhere) if (!owner.has(line)) wrong.push(`line ${line} has no source`);
  view.close();
  return wrong.slice(0, 10);
}
