import { COMMAND_GROUPS, COMMANDS } from './commands.ts';
import type { Style } from './terminal/style.ts';

/** The help of the bare command: short, grouped, made without loading any command. */
export function topHelp(version: string, style: Style): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length));
  const groups = COMMAND_GROUPS.flatMap((group) => [
    '',
    style.strong(group),
    ...COMMANDS.filter((command) => command.group === group).map(
      (command) => `  ${style.accent(command.name.padEnd(width))}  ${command.summary}`,
    ),
  ]);
  return [
    `keepsake ${version}: long-term memory for coding agents`,
    '',
    `Usage: ${style.strong('keepsake')} [command] [options]`,
    'Without a command: archive what is new, list the newest sessions and, on a terminal, open the page like `ui`',
    '(--no-open: print its address, --list: no page). --sample adds the sample project.',
    ...groups,
    '',
    style.strong('Options of all commands'),
    '  --json      print JSON instead of text',
    '  --help      show help and examples of a command',
    '  --no-color  plain text (NO_COLOR works too)',
    '  --debug     print the details of unexpected errors',
    '',
    'Exit status: 0 done; 2 wrong usage; 3 not found; 4 ambiguous; 6 in use; 10 verify or doctor found an error;',
    '65 to 79 problem with input, disk, archive, network, model or settings; 130 stopped.',
  ].join('\n');
}
