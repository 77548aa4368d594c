import { FAULTS, Fault, type FaultCode } from '../../core/model/fault.ts';
import type { Console } from './console.ts';
import type { Host } from './host.ts';
import { cleanText } from './terminal/clean-text.ts';

const SYSTEM_CODES = new Map<unknown, [Exclude<FaultCode, 'ambiguous'>, string]>([
  ['ENOSPC', ['disk-full', 'Make room on the disk and run it again.']],
  ['EDQUOT', ['disk-full', 'Your quota is used up; make room and run it again.']],
  ['EROFS', ['read-only', 'That place is read-only; CLAUDE_MEMORY_DIR can name another.']],
  ['EACCES', ['unreadable', 'Check the permissions of that path.']],
  ['EPERM', ['unreadable', 'Check the permissions of that path.']],
  ['ENOENT', ['not-found', 'Check the path.']],
  ['EIO', ['unreadable', 'The disk reports an error: look after it, then run `keepsake verify`.']],
  ['EMFILE', ['busy', 'Too many files are open: raise `ulimit -n`, or run it again when less is going on.']],
  ['ENFILE', ['busy', 'Too many files are open on this machine: run it again when less is going on.']],
]);

/** Anything thrown, as a fault. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof Error && error.name === 'AbortError') {
    return new Fault('cancelled', 'Stopped.', { hint: 'What was done is kept; run it again to go on.' });
  }
  const known = error instanceof Error && 'code' in error ? SYSTEM_CODES.get(error.code) : undefined;
  const message = error instanceof Error ? error.message : String(error);
  if (known) return new Fault(known[0], `${message}.`, { hint: known[1], cause: error });
  return new Fault('internal', `Something went wrong that should not: ${message}`, { cause: error });
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
    process.stderr.write(`${console.errorStyle.bad('keepsake:')} ${cleanText(fault.message)}\n`);
    if (hint !== undefined) process.stderr.write(`${cleanText(hint)}\n`);
  }
  if (debug) process.stderr.write(`${stackOf(error)}\n`);
  return FAULTS[fault.code].exit;
}

async function keepDetails(error: unknown, host: Host): Promise<string> {
  const file = await host.log(stackOf(error));
  const place =
    file === undefined ? 'Run it again with --debug for the details' : `The details are in ${file}`;
  return `${place}. Your memory is safe: what was acknowledged is on the disk.`;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
