import { ROLE } from '../model/search.ts';
import type { SearchView } from './view.ts';

/** Which lines may be found. */
export type LineScope = {
  accept: (line: number) => boolean;
  /** The same, where source and role are all that decides: then nobody needs to ask for each line. */
  plain?: PlainScope | undefined;
};

export type PlainScope = {
  /** 1 where a source's lines may be found; undefined: everywhere. */
  sources?: Uint8Array;
  /** Only lines of this role. */
  role?: number;
};

/** Lines of sources that are in it, but documents. Sources alone decide: they are asked once, not for each line. */
export function scopeOfSources(
  view: SearchView & { sourceCount: number },
  isIn: (source: number) => boolean,
): LineScope {
  const { sourceCount } = view;
  const sources = new Uint8Array(sourceCount);
  for (let id = 0; id < sourceCount; id++) if (isIn(id)) sources[id] = 1;
  return {
    // Columns are read only where someone asks for a line.
    accept: (line) => view.role[line]! < ROLE.document && sources[view.source[view.exchange[line]!]!] === 1,
    plain: { sources },
  };
}

/** Whether a line exists and may be found. Documents only where their role is asked for. */
export function isSearchable(view: SearchView, { accept, plain }: LineScope): (line: number) => boolean {
  const { role, exchange, source } = view;
  if (plain === undefined) return (line) => role[line] !== ROLE.removed && accept(line);
  const { sources, role: only } = plain;
  if (sources === undefined)
    return only === undefined ? (line) => role[line]! < ROLE.document : (line) => role[line] === only;
  return (line) =>
    (only === undefined ? role[line]! < ROLE.document : role[line] === only) &&
    sources[source[exchange[line]!]!] === 1;
}

/** How many of these lines may be found; none of them was removed. */
export function countSearchable(view: SearchView, { accept, plain }: LineScope, lines: Uint32Array): number {
  const { role, exchange, source } = view;
  const sources = plain?.sources;
  const only = plain?.role ?? -1;
  let count = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (!plain) {
      if (accept(line)) count++;
    } else if (
      (only < 0 ? role[line]! < ROLE.document : role[line] === only) &&
      (!sources || sources[source[exchange[line]!]!] === 1)
    )
      count++;
  }
  return count;
}
