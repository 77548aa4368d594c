import type { CommitMessage } from '../../text/commit-messages.ts';
import { worthOf } from './ask-fragment.ts';
import { fitTitle } from './fit-title.ts';

/** `fix(ui): ` and the like. */
const CONVENTIONAL =
  /^(?:feat|fix|chore|docs?|refactor|tests?|style|perf|build|ci|cleanup|revert)(?:\([^)]*\))?!?:\s+(?=\S)/i;
/** Commits that say nothing about what a session is about. */
const TRIVIAL =
  /^(?:wip|debug\b|merge\b|update$|fix(?:es|ed)?$|lint|format|fmt\b|typo|cleanup$|(?:address|apply|handle|resolve) (?:[\w-]+ ){0,4}(?:review|pr|feedback|comments?|suggestions|issues|findings)|apply (?:gofmt|formatting|suggestions)|fix (?:lint\w*|typos?|format\w*|tests?|ci|build)\b.{0,12}$|bump|init(?:ial)?\b.{0,10}$|checkpoint|revert\b|regenerate|trigger\b|\W*$)/i;
const UNWRITTEN = /^[#$<{-]/;
const PULL_REQUEST = 3;

export type NotedSubject = { text: string; weight: number };

/** A commit's subject as a title, and how likely it says what the session is about. */
export function subjectTitle({ subject, body, pullRequest }: CommitMessage): NotedSubject | undefined {
  const plain = subject.replace(CONVENTIONAL, '').trim();
  if (UNWRITTEN.test(plain) || TRIVIAL.test(plain)) return undefined;
  const { text } = fitTitle(plain);
  const worth = worthOf(text);
  if (worth === 0) return undefined;
  const length = Math.min(3, Math.log1p((subject.length + body.length) / 120));
  return { text, weight: (pullRequest ? PULL_REQUEST : 0) + worth + length };
}
