import type { L1Line } from '../model/l1.ts';
import { commitMessages } from '../text/commit-messages.ts';

const LONGEST = 160;
/** They do not say what was done. */
const EMPTY = /^(?:Merge (?:branch|pull|remote|origin|main)|style\b|wip\b|fmt\b|formatting\b)/i;

/** Subjects of the commits that a tool made, and titles of the pull requests it opened. */
export function commitSubjects(line: L1Line): string[] {
  if (line.role !== 'tool' || line.result !== undefined) return [];
  return commitMessages(line.target ?? '')
    .map(({ subject, pullRequest }) => `${pullRequest ? 'Pull request: ' : ''}${subject.slice(0, LONGEST)}`)
    .filter((subject) => /\p{L}{3}/u.test(subject) && !EMPTY.test(subject));
}
