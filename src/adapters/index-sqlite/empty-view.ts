import type { IndexView } from '../../ports/search-index.ts';

/** What there is to see where no index is. */
export function emptyView(): IndexView {
  return {
    lineCount: 0,
    sourceCount: 0,
    length: new Uint16Array(),
    role: new Uint8Array(),
    flags: new Uint8Array(),
    exchange: new Uint32Array(),
    source: new Uint32Array(),
    totals: () => ({ lines: new Uint32Array(), terms: new Uint32Array(), sources: 0 }),
    postings: () => ({ lines: new Uint32Array(), counts: new Uint8Array() }),
    linesWith: () => 0,
    termsFrom: () => [],
    sources: () => [],
    sourcesIn: () => [],
    runs: () => [],
    runsOf: () => new Map(),
    places: () => [],
    sourcesWithFile: () => [],
    close: () => {},
  };
}
