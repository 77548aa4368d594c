/** What a mark of the timeline is, alone and by title. */
export const MARK_NAMES = {
  commit: { one: 'a commit', title: 'Commit', many: 'commits' },
  decision: { one: 'a decision', title: 'Decision', many: 'decisions' },
  keepit: { one: 'a keepit', title: 'Keepit', many: 'keepits' },
  compaction: { one: 'a compaction', title: 'Compaction', many: 'compactions' },
  error: { one: 'errors', title: 'Error', many: 'exchanges with errors' },
} as const;
