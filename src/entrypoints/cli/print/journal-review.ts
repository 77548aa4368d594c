import type { DiffLine } from '../../../core/journal/line-diff.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { Cli } from '../cli.ts';
import { cleanText } from '../terminal/clean-text.ts';

/** Lines of a diff that are shown; a text is looked at whole in its file. */
const MOST_LINES = 400;

export function diffLines(diff: DiffLine[], cli: Cli): string[] {
  const { style } = cli.console;
  const paint = { '+': style.good, '-': style.bad, ' ': style.dim };
  const lines = diff.slice(0, MOST_LINES).map(({ sign, text }) => paint[sign](`${sign} ${cleanText(text)}`));
  return diff.length > MOST_LINES ? [...lines, `and ${diff.length - MOST_LINES} more lines`] : lines;
}

/** The text that `--from` names: a file, or stdin for `-`. */
export async function readNamedText(cli: Cli, from: string, most: number): Promise<string> {
  const { resolve } = await import('node:path');
  if (from !== '-') {
    const world = await cli.world();
    const bytes = await world.machine.readBytes(resolve(cli.host.environment.cwd, from));
    if (!bytes) throw new Fault('not-found', `No such file: ${from}.`, { hint: 'Use - to read stdin.' });
    return decoded(bytes, most);
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    size += (part as Buffer).length;
    if (size > most) break;
    parts.push(part as Buffer);
  }
  if (size > most) throw tooLong(most);
  return decoded(Buffer.concat(parts), most);
}

function decoded(bytes: Buffer, most: number): string {
  if (bytes.length > most) throw tooLong(most);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Fault('usage', 'The text is not UTF-8.');
  }
}

function tooLong(most: number): Fault {
  return new Fault('usage', `The text has more than ${most} bytes.`, {
    hint: 'Pass the summary, not the conversation.',
  });
}
