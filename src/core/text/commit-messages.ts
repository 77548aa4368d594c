const COMMIT = /\bgit\s+(?:-\S+\s+\S+\s+)*commit\b/;
const PULL_REQUEST = /\bgh\s+pr\s+create\b/;
/** Lines that a client or git itself adds below a message. */
const TRAILERS = /^(?:Co-Authored-By|Signed-off-by|Generated with|🤖|[A-Z][\w]*(?:-[A-Z]\w*)+:).*$/gim;

/** What a command committed, or the pull request it opened. */
export type CommitMessage = { subject: string; body: string; pullRequest: boolean };

/** The messages of the commits that a shell command makes, and the titles of the pull requests it opens. */
export function commitMessages(command: string): CommitMessage[] {
  const found: CommitMessage[] = [];
  if (command.includes('commit') && COMMIT.test(command)) {
    const text = heredoc(command) ?? quoted(command, /\s(?:-[a-z]*m|--message)[\s=]*/);
    if (text !== undefined) found.push({ ...parts(text), pullRequest: false });
  }
  if (command.includes('create') && PULL_REQUEST.test(command)) {
    const title = quoted(command, /\s(?:--title|-t)[\s=]*/);
    const body = heredoc(command) ?? quoted(command, /\s(?:--body|-b)[\s=]*/) ?? '';
    if (title !== undefined) found.push({ subject: parts(title).subject, body, pullRequest: true });
  }
  return found;
}

function parts(message: string): { subject: string; body: string } {
  const lines = message.replace(TRAILERS, '').split('\n');
  const at = lines.findIndex((line) => line.trim() !== '');
  const body = lines.slice(at + 1).join('\n');
  return { subject: (lines[at] ?? '').trim(), body: body.trim() };
}

function heredoc(command: string): string | undefined {
  return /<<-?\s*['"]?(\w+)['"]?\s*\n?([\s\S]*?)(?:\n\s*\1\b|$)/.exec(command)?.[2];
}

function quoted(command: string, option: RegExp): string | undefined {
  const found = option.exec(command);
  if (!found) return undefined;
  const rest = command.slice(found.index + found[0].length);
  const whole = /^"((?:[^"\\]|\\.)*)"?|^'([^']*)'?|^(\S+)/.exec(rest);
  return whole?.[1]?.replace(/\\(["\\$`])/g, '$1') ?? whole?.[2] ?? whole?.[3];
}
