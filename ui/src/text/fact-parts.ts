/** Its subject, and what its body says: a commit is written as `Commit: subject — body`. */
export type FactParts = { subject: string; body: string };

const COMMIT = /^Commit: (.+?) — (.+)$/s;
const ONLY_SUBJECT = /^Commit: (.+)$/s;

/** A fact in parts that the eye can tell apart; of one that is no commit all is body. */
export function factParts(content: string): FactParts {
  const [, subject = ONLY_SUBJECT.exec(content)?.[1] ?? '', body = ''] = COMMIT.exec(content) ?? [];
  return subject === '' ? { subject: '', body: content } : { subject, body };
}
