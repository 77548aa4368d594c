/** What does here what a command does in a terminal. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ['projects', 'the tool `sessions` with `everywhere`'],
  ['sessions', 'the tool `sessions`'],
  ['exchanges', 'the tool `story`'],
  ['show', 'the tool `story`'],
  ['search', 'the tool `search`'],
  ['recall', 'the tool `recall`'],
  ['facts', 'the tool `recall` with `facts`'],
  ['compose', 'the tool `compose`'],
  ['summarize', 'the tool `summarize`'],
  ['synthesize', 'the tool `synthesize`'],
]);
const COMMAND = /`keepsake ([a-z-]+)[^`\n]*`|(?<![\w`])keepsake ([a-z-]+)/g;

/** An error as an agent can act on it: tools and their arguments instead of commands and options. */
export function inToolWords(text: string): string {
  return text
    .replace(
      COMMAND,
      (whole, quoted?: string, bare?: string) => TOOLS.get(quoted ?? bare ?? '') ?? `${whole} in a terminal`,
    )
    .replace(/--([a-z]+)=(\S+)/g, '`$1`: $2')
    .replace(/--([a-z]+)\b/g, '`$1`')
    .replace(/(^|[.!?]\s+)the tool/g, '$1The tool');
}
