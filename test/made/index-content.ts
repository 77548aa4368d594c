import { ROLES } from '../../src/core/model/search.ts';
import type { SearchIndex } from '../../src/ports/search-index.ts';

/** Terms and paths to ask for. */
export type Questions = { terms: string[]; prefixes: string[]; paths: string[] };

/** All that an index can tell, told by names and places, for the numbers in it are its own affair. */
export async function indexContent(
  index: SearchIndex,
  { terms, prefixes, paths }: Questions,
): Promise<object> {
  const view = await index.view();
  try {
    const rows = view.sources();
    const totals = view.totals();
    const nameOf = new Map(rows.map(({ id, project, kind, name }) => [id, `${project}/${kind}/${name}`]));
    const placeOf = new Map<number, string>();
    const sources = rows.map(({ id, ...about }) => {
      const lines = view
        .runs(id)
        .flatMap(([first, count]) => Array.from({ length: count }, (_, n) => first + n));
      const exchanges = [...new Set(lines.map((line) => view.exchange[line]))];
      const places = view.places(lines);
      for (const [n, line] of lines.entries()) placeOf.set(line, `${nameOf.get(id)} ${places[n]!.at}`);
      return {
        ...about,
        totals: [totals.lines, totals.terms].map((one) => [...one.subarray(ROLES * id, ROLES * (id + 1))]),
        lines: lines.map((line, n) => ({
          ...places[n],
          length: view.length[line],
          role: view.role[line],
          flags: view.flags[line],
          exchange: exchanges.indexOf(view.exchange[line]),
          owner: nameOf.get(view.source[view.exchange[line]!]!),
        })),
      };
    });
    const byName = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    return {
      cursors: [...(await index.cursors())].sort(),
      marks: [...(await index.marks())].sort(),
      sources: sources.sort(byName),
      idsAreSmall: rows.every(({ id }) => id < view.sourceCount),
      postings: terms.map((term) => {
        const { lines, counts } = view.postings(term);
        const ascending = lines.every((line, n) => n === 0 || line > lines[n - 1]!);
        return {
          term,
          ascending,
          found: [...lines].map((line, n) => `${placeOf.get(line)} x${counts[n]}`).sort(),
        };
      }),
      prefixes: prefixes.map((prefix) => [view.termsFrom(prefix, 3), view.termsFrom(prefix, 1000)]),
      files: paths.map((path) =>
        view
          .sourcesWithFile(path)
          .map(({ source, times }) => `${nameOf.get(source)} x${times}`)
          .sort(),
      ),
    };
  } finally {
    view.close();
  }
}
