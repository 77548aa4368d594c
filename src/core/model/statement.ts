/** What a statement is about. */
export const STATED_KINDS = [
  'decision',
  'rule',
  'preference',
  'lesson',
  'solution',
  'environment',
  'constraint',
  'open',
] as const;
export type StatedKind = (typeof STATED_KINDS)[number];

/** Where a statement was found, the most trusted first. */
export const STATED_BY = [
  'words',
  'refusal',
  'answer',
  'pick',
  'plan',
  'pasted',
  'commit',
  'note',
  'memory-file',
  'open-end',
  'claim',
] as const;
export type StatedBy = (typeof STATED_BY)[number];

/** A verbatim piece of one field of one L1 line. */
export type Quote = {
  by: 'user' | 'assistant';
  field: 'text' | 'asked' | 'choice' | 'target' | 'diff' | 'result';
  /** Line of the L1 file, from 1. */
  line: number;
  /** Byte offset of its line in the original. */
  src: number;
  text: string;
};

/** What was said and is no longer true: the words, and the words that took them back. */
export type Overturned = { was: Quote[]; by: Quote[] };

/**
 * What is true at the end of a session, put together from quotations.
 *
 * - Facts take `kind`, `text`, `confidence` and the first quote as their source; `shown` statements are facts, `candidate` ones
 *   wait for a review. Across sessions, `id` identifies a statement and its quotes identify the words.
 * - Rolling memory and the journal list them by `exchange` (the L1 line of the ask), and `overturned` as what was replaced.
 * - Recall and search index `text`, and mark whatever is in `overturned` as rejected.
 */
export type SessionStatement = {
  /** Derived from its quotes: the same lines give the same id. */
  id: string;
  kind: StatedKind;
  text: string;
  /** As Keepsake put it together, where a model worded it: says whose words are which. */
  offline?: string;
  /** Whose words decide it; `pasted` are words that the user sent and someone else wrote. */
  author: 'user' | 'assistant' | 'pasted';
  foundBy: StatedBy;
  tier: 'shown' | 'candidate';
  /** Share of such statements that readers would keep. */
  confidence: number;
  quotes: Quote[];
  /** Positions of the files that it names as its subject. */
  about?: Quote[];
  overturned: Overturned[];
  /** Line of the L1 file where the user's words that led to it begin, from 1, and their time. */
  exchange: number;
  ts: string;
};
