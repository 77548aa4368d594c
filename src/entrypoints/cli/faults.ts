import { FAULTS, Fault, type FaultCode } from '../../core/model/fault.ts';
import type { Console } from './console.ts';
import type { Host } from './host.ts';
import { cleanText } from './terminal/clean-text.ts';

const SYSTEM_CODES = new Map<unknown, [Exclude<FaultCode, 'ambiguous'>, string]>([
  ['ENOSPC', ['disk-full', 'Free some disk space and run the command again.']],
  ['EDQUOT', ['disk-full', 'Your disk quota is used up. Free some space and run the command again.']],
  ['EROFS', ['read-only', 'That folder is read-only. Set CLAUDE_MEMORY_DIR to use another.']],
  ['EACCES', ['unreadable', 'Check the permissions of that path.']],
  ['EPERM', ['unreadable', 'Check the permissions of that path.']],
  ['ENOENT', ['not-found', 'Check the path.']],
  ['EIO', ['unreadable', 'The disk reports an error. Check the disk, then run `keepsake verify`.']],
  ['EMFILE', ['busy', 'Too many files are open. Raise `ulimit -n`, or try again later.']],
  ['ENFILE', ['busy', 'Too many files are open on this machine. Try again later.']],
]);

/** Anything thrown, as a fault. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof Error && error.name === 'AbortError') {
    return new Fault('cancelled', 'Stopped.', {
      hint: 'Completed work is kept. Run the command again to continue.',
    });
  }
  const known = error instanceof Error && 'code' in error ? SYSTEM_CODES.get(error.code) : undefined;
  const message = error instanceof Error ? error.message : String(error);
  if (known) return new Fault(known[0], `${message}.`, { hint: known[1], cause: error });
  return new Fault('internal', `Unexpected error: ${message}`, { cause: error });
}

/** Prints a fault to stderr and gives the exit status. */
export async function printFault(
  error: unknown,
  console: Console,
  host: Host,
  debug: boolean,
): Promise<number> {
  const fault = toFault(error);
  const hint = fault.code === 'internal' ? await keepDetails(error, host) : fault.hint;
  if (console.json) {
    const { code, message } = fault;
    process.stderr.write(
      `${JSON.stringify({ error: { code, message, ...(hint === undefined ? {} : { hint }) } })}\n`,
    );
  } else {
    console.endProgress();
    const message = `${console.errorStyle.bad('keepsake:')} ${cleanText(fault.message)}`;
    process.stderr.write(`${console.wrapped(message)}\n`);
    if (hint !== undefined) process.stderr.write(`${console.wrapped(cleanText(hint))}\n`);
  }
  if (debug) process.stderr.write(`${stackOf(error)}\n`);
  return FAULTS[fault.code].exit;
}

async function keepDetails(error: unknown, host: Host): Promise<string> {
  const file = await host.log(stackOf(error));
  const place =
    file === undefined ? 'Run it again with --debug for the details' : `The details are in ${file}`;
  return `${place}. Your archive is safe: confirmed work is on disk.`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
