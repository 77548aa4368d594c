/** What a tracking point is about. */
export const POINT_KINDS = [
  'rule',
  'decision',
  'discovery',
  'learning',
  'environment',
  'change',
  'done',
  'status',
  'open',
  'note',
] as const;
export type PointKind = (typeof POINT_KINDS)[number];

export const LABELS: Record<PointKind, string> = {
  rule: 'Rule',
  decision: 'Decision',
  discovery: 'Discovery',
  learning: 'Learning',
  environment: 'Environment',
  change: 'Change',
  done: 'Done',
  status: 'Status',
  open: 'Open',
  note: 'Note',
};

/** One line that is worth knowing in a later conversation. */
export type Point = {
  kind: PointKind;
  /** On one line, harmless as Markdown. */
  text: string;
  /** Whose words, and the exchange they are in. A page that a person or an agent wrote may not say. */
  by?: 'user' | 'assistant';
  exchange?: string;
};

/** A conversation in short: `_memory/conversations/<session-id>.md`. */
export type JournalPage = {
  session: string;
  title: string;
  context: string;
  points: Point[];
  /** Changed files, and commands that worked. */
  files: string[];
  commands: string[];
  /** When it was; empty where nobody knows. */
  first: string;
  last: string;
};

export const PAGE_SECTIONS = {
  context: 'Context',
  points: 'Tracking Points',
  files: 'Related Files/Artifacts',
} as const;

/** Longest text of a point, in UTF-16 units. */
export const LONGEST_POINT = 600;
