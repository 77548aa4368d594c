/** What a mark of the timeline is, alone and by title. */
export const MARK_NAMES = {
  commit: { one: 'a commit', title: 'Commit', many: 'commits', shape: 'circle' },
  decision: { one: 'a decision', title: 'Decision', many: 'decisions', shape: 'diamond' },
  keepit: { one: 'a keepit', title: 'Keepit', many: 'keepits', shape: 'square' },
  compaction: { one: 'a compaction', title: 'Compaction', many: 'compactions', shape: 'cross' },
  error: { one: 'errors', title: 'Error', many: 'exchanges with errors', shape: 'triangle' },
} as const;
