/** The page shows the title already. */
const TITLE = /^# [^\n]*\n+/;
/** Ids that only a model can use; quotes keep theirs. */
const IDS =
  /(^|, )(?:session [\w.-]+|ex_\w+)(?=,|$)|(^[^>\n]*?\b(?:rule|decision|preference|solution|fact)) [a-z]+_[0-9a-f]{6,}/g;

/** What is recalled, as a person reads it. */
export function forReading(text: string): string {
  return text
    .replace(TITLE, '')
    .split('\n')
    .map((line) => (/^[>#]/.test(line) ? line : withoutIds(line)))
    .join('\n');
}

function withoutIds(line: string): string {
  return line
    .replace(IDS, (_, _comma: string, before: string | undefined) =>
      before === undefined ? '' : before.charAt(0).toUpperCase() + before.slice(1),
    )
    .replace(/^, /, '');
}
