import type { Command } from 'commander';
import type { Reads } from '../../app/reads.ts';
import type { World } from '../../app/world.ts';
import type { Console } from './console.ts';
import type { Host } from './host.ts';

/** What a command works with. */
export type Cli = {
  console: Console;
  host: Host;
  /** Opened on first use, and brought up to date for what the command reads, or for `reads` where a part of it differs. */
  world(reads?: Reads): Promise<World>;
  /** Aborted by Ctrl-C. A command that never asks for it is ended at once. */
  signal(): AbortSignal;
};

/** Adds a command's arguments, options, examples and action. */
export type Define = (command: Command, cli: Cli) => void;

/** Examples under a command's help. */
export function examples(command: Command, ...lines: [line: string, ...more: string[]]): void {
  command.addHelpText(
    'after',
    `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  $ ${example(line)}`).join('\n')}`,
  );
}

/** A line that begins with a variable names the program itself. */
function example(line: string): string {
  return /^[A-Z]+=/.test(line) ? line : `keepsake ${line}`;
}

/** The options of every command. `--json` is removed before commander sees it; here it is only for the help. */
export function commonOptions(command: Command): void {
  command.option('--json', 'print JSON instead of text');
}

/** The options of every list that comes in pages. */
export function pageOptions(command: Command, page: number | string): void {
  command
    .option('--limit <n>', `maximum number (default: ${page})`, parseWholeNumber)
    .option('--after <cursor>', 'continue after this cursor');
}

/** For `--limit`: a whole number from 1 on. */
export function parseWholeNumber(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
  // What commander takes for its own kind of error; it then names the option.
  throw Object.assign(new Error('expected a whole number from 1 on'), { code: 'commander.invalidArgument' });
}
