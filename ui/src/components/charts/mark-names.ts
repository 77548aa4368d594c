import { plainWords } from '../../markdown/plain-words.ts';

/** What a mark of the timeline is: in a sentence, by title, and behind a number. */
export const MARK_NAMES = {
  commit: { one: 'a commit', title: 'Commit', single: 'commit', many: 'commits' },
  decision: { one: 'a decision', title: 'Decision', single: 'decision', many: 'decisions' },
  keepit: { one: 'a keepit', title: 'Keepit', single: 'keepit', many: 'keepits' },
  compaction: { one: 'a compaction', title: 'Compaction', single: 'compaction', many: 'compactions' },
  error: { one: 'errors', title: 'Error', single: 'exchange with errors', many: 'exchanges with errors' },
} as const;

/** What was said, without the marks of Markdown; a command as it was typed. */
export function markText({ kind, text }: { kind: keyof typeof MARK_NAMES; text: string }): string {
  return kind === 'decision' || kind === 'keepit' ? plainWords(text) : text;
}
