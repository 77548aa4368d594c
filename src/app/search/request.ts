import type { SearchFilters } from './filters.ts';

export type SearchRequest = {
  query: string;
  grain?: 'turn' | 'exchange' | 'session';
  limit?: number;
  filters?: SearchFilters;
  /** Of exchanges: tokens for the passages of all hits together. */
  passageTokens?: number;
  /** Of exchanges: hits with their passages and places, without what else is read for each: its text, snippet and message. */
  bare?: boolean;
  /** Folders of the repository that one is in: of two hits that fit alike, one of these comes first. */
  here?: readonly string[];
  /** Of documents: those below it are not even read. */
  leastScore?: number;
  /** Counts these tokens; an estimate, where nothing is named. */
  count?: (text: string) => number;
};
