import { shellWords } from './shell-words.ts';

const COMMIT = /\bgit\s+(?:-\S+\s+\S+\s+)*commit\b/;
const PULL_REQUEST = /\bgh\s+pr\s+create\b/;
const ISSUE = String.raw`(?:[\w./-]*#\d+|(?!UTF-)[A-Z]{2,}-\d+|[0-9a-f]{7,40}\b|https?:\S+)`;
/** Lines that a client or git itself adds below a message: `Reviewed-by:`, `Change-Id:`, `Fixes #12`. */
const TRAILERS = [
  /^\w+(?:-\w+)*-by:/i,
  /^(?!BREAKING)[A-Z]\w*(?:-[A-Z]\w*)+: /,
  new RegExp(
    `^(?:[Ff]ix(?:es|ed)?|[Rr]efs?|[Cc]los(?:es|ed)|[Rr]esolves?):? ${ISSUE}(?:,? (?:and )?${ISSUE})*\\.?$`,
  ),
  /^(?:🤖|Generated with\b)/i,
  /^https?:\S+$/,
  /^\(cherry picked from /,
];
/** Nobody writes them as text, wherever they are. */
const NEVER_TEXT = /^(?:Co-authored-by:|Signed-off-by:|🤖)/i;
const HEREDOC = /<<-?\s*['"]?(\w+)['"]?\s*\n?([\s\S]*?)(?:\n\s*\1\b|$)/;
/** `"$(cat <<'EOF' ... EOF)"`: its text is the word. */
const HEREDOC_WORD = /"?\$\(\s*cat\s+<<-?\s*['"]?(\w+)['"]?\s*\n?([\s\S]*?)(?:\n\s*\1\s*\)?"?|$)/;
/** Placeholder for a heredoc while the words of a command are read. */
const PLACE = '\u0001';

const MESSAGE = /^(?:-[a-zA-Z]*m|--message)$/;
const TITLE = /^(?:-t|--title)$/;
const BODY = /^(?:-b|--body)$/;

/** What a command committed, or the pull request it opened. */
export type CommitMessage = { subject: string; body: string; pullRequest: boolean };

/** The messages of the commits that a shell command makes, and the titles of the pull requests it opens. */
export function commitMessages(command: string): CommitMessage[] {
  const found: CommitMessage[] = [];
  if (command.includes('commit') && COMMIT.test(command)) {
    const paragraphs = optionValues(command, COMMIT, MESSAGE);
    const text = paragraphs.length > 0 ? paragraphs.join('\n\n') : heredoc(command);
    if (text !== undefined) found.push({ ...parts(text), pullRequest: false });
  }
  if (command.includes('create') && PULL_REQUEST.test(command)) {
    const [title] = optionValues(command, PULL_REQUEST, TITLE);
    const body = optionValues(command, PULL_REQUEST, BODY)[0] ?? heredoc(command) ?? '';
    if (title !== undefined) found.push({ subject: parts(title).subject, body, pullRequest: true });
  }
  return found;
}

/** The message without the trailers at its end; a line that looks like one in the middle is text. */
export function withoutTrailers(message: string): string {
  const lines = message.split('\n').filter((line) => !NEVER_TEXT.test(line.trim()));
  const end = lines.findLastIndex((line) => line.trim() !== '' && !isTrailer(line));
  return lines
    .slice(0, end + 1)
    .join('\n')
    .trim();
}

function isTrailer(line: string): boolean {
  return TRAILERS.some((pattern) => pattern.test(line.trim()));
}

function parts(message: string): { subject: string; body: string } {
  const lines = message.trim().split('\n');
  return { subject: lines[0]!.trim(), body: withoutTrailers(lines.slice(1).join('\n')) };
}

function heredoc(command: string): string | undefined {
  return HEREDOC.exec(command)?.[2];
}

/** Values of an option, as often as it is there: each `-m` is a paragraph. */
function optionValues(command: string, program: RegExp, option: RegExp): string[] {
  const after = command.slice(command.search(program));
  const text = HEREDOC_WORD.exec(after)?.[2];
  const words = shellWords(text === undefined ? after : after.replace(HEREDOC_WORD, `"${PLACE}"`));
  return words.flatMap((word, at) => {
    const [name = '', ...value] = word.startsWith('--') ? word.split('=') : [word];
    const found = option.test(name)
      ? value.length > 0
        ? value.join('=')
        : words[at + 1]
      : joined(word, option);
    return found === undefined ? [] : [found.replace(PLACE, () => text ?? '')];
  });
}

/** `-m"text"`: a shell hands it over as one word. */
function joined(word: string, option: RegExp): string | undefined {
  const found = /^(-[a-z])(?=\s|\S*\s|\S*\u0001)([\s\S]+)$/.exec(word);
  return found && option.test(found[1]!) ? found[2] : undefined;
}
