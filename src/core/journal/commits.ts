import type { L1Line } from '../model/l1.ts';

const COMMIT = /\bgit\s+(?:-\S+\s+\S+\s+)?commit\b/;
const LONGEST = 160;
/** Tell nothing of what was done. */
const EMPTY = /^(?:Merge (?:branch|pull|remote|origin|main)|style\b|wip\b|fmt\b|formatting\b)/i;

/** Subjects of the commits that a tool made, and titles of the pull requests it opened. */
export function commitSubjects(line: L1Line): string[] {
  if (line.role !== 'tool' || line.result !== undefined) return [];
  const command = line.target ?? '';
  const found: string[] = [];
  if (COMMIT.test(command)) {
    const message = heredoc(command) ?? quoted(command, /\s(?:-m|-am|--message)[\s=]*/);
    if (message !== undefined) found.push(firstLine(message));
  }
  if (/\bgh\s+pr\s+create\b/.test(command)) {
    const title = quoted(command, /\s(?:--title|-t)[\s=]*/);
    if (title !== undefined) found.push(`Pull request: ${firstLine(title)}`);
  }
  return found.filter((subject) => /\p{L}{3}/u.test(subject) && !EMPTY.test(subject));
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

function firstLine(text: string): string {
  const line = text.split('\n').find((it) => it.trim() !== '') ?? '';
  return line.trim().slice(0, LONGEST);
}
