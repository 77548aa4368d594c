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
