// The search index as it was at a given time: without the words of later sessions.
import type { IndexView } from '../src/ports/search-index.ts';

/** Sources that do not exist yet have no matching lines. */
export function viewOf(view: IndexView, isKnown: (source: number) => boolean): IndexView {
  const known = Uint8Array.from({ length: view.sourceCount }, (_, id) => (isKnown(id) ? 1 : 0));
  const found = new Map<string, ReturnType<IndexView['postings']>>();
  const postings = (term: string) => {
    const before = found.get(term);
    if (before) return before;
    const { lines, counts } = view.postings(term);
    const kept = [...lines.keys()].filter((at) => known[view.source[view.exchange[lines[at]!]!]!] === 1);
    const own = {
      lines: Uint32Array.from(kept, (at) => lines[at]!),
      counts: Uint8Array.from(kept, (at) => counts[at]!),
    };
    found.set(term, own);
    return own;
  };
  return new Proxy(view, {
    get: (of, key) => {
      if (key === 'postings') return postings;
      if (key === 'close') return () => {};
      if (key === 'sourcesIn')
        return (...args: Parameters<IndexView['sourcesIn']>) =>
          of.sourcesIn(...args).filter((id) => known[id] === 1);
      if (key === 'sources')
        return (ids?: Iterable<number>) => of.sources(ids).filter(({ id }) => known[id] === 1);
      const value = Reflect.get(of, key);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}
