/** What ranking needs of the index: columns, and the lines of a term. The index's port offers it. */
export type SearchView = {
  readonly lineCount: number;
  readonly length: Uint16Array;
  readonly role: Uint8Array;
  readonly flags: Uint8Array;
  readonly exchange: Uint32Array;
  readonly source: Uint32Array;
  /** Lines and terms of each source by role, where nobody needs to count them: number `ROLES * source + role`. */
  totals?(): { lines: Uint32Array; terms: Uint32Array; sources: number };
  postings(term: string): { lines: Uint32Array; counts: Uint8Array };
  runs(source: number): [number, number][];
  /** The same of several, where they are read together. */
  runsOf?(sources: readonly number[]): Map<number, [number, number][]>;
};
