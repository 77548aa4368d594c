/** One palette for all pictures: a color means the same thing in each of them. Tailwind needs the names whole. */
type Color = { title: string; fill: string; bg: string };

export const OUTCOME_COLORS = {
  done: { title: 'done', fill: 'fill-good', bg: 'bg-good' },
  open: { title: 'left open', fill: 'fill-warn', bg: 'bg-warn' },
  failed: { title: 'failed', fill: 'fill-bad', bg: 'bg-bad' },
  rejected: { title: 'rejected', fill: 'fill-strong-line', bg: 'bg-strong-line' },
} as const satisfies Record<string, Color>;

export const TOKEN_COLORS = {
  you: { title: 'You', fill: 'fill-piece-3', bg: 'bg-piece-3' },
  agent: { title: 'Agent', fill: 'fill-piece-1', bg: 'bg-piece-1' },
  thinking: { title: 'Thinking', fill: 'fill-piece-5', bg: 'bg-piece-5' },
  files: { title: 'Files read and written', fill: 'fill-piece-4', bg: 'bg-piece-4' },
  calls: { title: 'Tool calls', fill: 'fill-piece-6', bg: 'bg-piece-6' },
  output: { title: 'Tool output', fill: 'fill-piece-2', bg: 'bg-piece-2' },
  notes: { title: 'Summaries and headings', fill: 'fill-strong-line', bg: 'bg-strong-line' },
} as const satisfies Record<string, Color>;

export const INJECTION_COLORS = {
  start: { title: 'At the start', fill: 'fill-piece-1', bg: 'bg-piece-1' },
  prompt: { title: 'Beside a prompt', fill: 'fill-piece-3', bg: 'bg-piece-3' },
  action: { title: 'Before an action', fill: 'fill-piece-4', bg: 'bg-piece-4' },
  compaction: { title: 'After a compaction', fill: 'fill-piece-2', bg: 'bg-piece-2' },
} as const satisfies Record<string, Color>;

export const MEMORY_COLORS = {
  rules: { title: 'Rules', fill: 'fill-piece-1', bg: 'bg-piece-1' },
  decisions: { title: 'Decisions', fill: 'fill-piece-3', bg: 'bg-piece-3' },
  facts: { title: 'Other facts', fill: 'fill-piece-6', bg: 'bg-piece-6' },
  keepits: { title: 'Keepits', fill: 'fill-piece-2', bg: 'bg-piece-2' },
} as const satisfies Record<string, Color>;
