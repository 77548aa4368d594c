import { Fault, type FaultCode } from '../core/model/fault.ts';

/** These end a run: going on would fail again for every file. */
export const FATAL: ReadonlySet<FaultCode> = new Set(['disk-full', 'read-only', 'busy', 'cancelled']);

/** What work gives, or the fault that it ended in, as a value to decide by. An abort is one, too; a defect is thrown on. */
export async function orFault<T>(work: Promise<T>, signal?: AbortSignal): Promise<T | Fault> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Fault) return error;
    if (signal?.aborted) return new Fault('cancelled', 'Stopped.', { cause: error });
    throw error;
  }
}

/** What work gives; undefined, and reported, where it ends in a fault of one of these codes. */
export async function unlessFault<T>(
  work: Promise<T>,
  codes: Iterable<FaultCode>,
  report?: (note: string) => void,
): Promise<T | undefined> {
  const outcome = await orFault(work);
  if (!(outcome instanceof Fault)) return outcome;
  if (!new Set(codes).has(outcome.code)) throw outcome;
  report?.(faultText(outcome));
  return undefined;
}

/** The trouble of one project or file: the others can be worked with anyway. */
const OWN: readonly FaultCode[] = ['newer-version', 'unreadable', 'corrupt'];

/** What one project gives; undefined, and reported, when it can't be read. For what asks for many projects at once. */
export async function ifReadable<T>(
  work: Promise<T>,
  report?: (note: string) => void,
): Promise<T | undefined> {
  return unlessFault(work, OWN, report);
}

/** What work gives; undefined, and reported, where it can't be done for a reason of its own. For what is done besides. */
export async function ifPossible<T>(
  work: Promise<T>,
  report: ((note: string) => void) | undefined,
): Promise<T | undefined> {
  const outcome = await orFault(work);
  if (!(outcome instanceof Fault)) return outcome;
  if (FATAL.has(outcome.code)) throw outcome;
  report?.(faultText(outcome));
  return undefined;
}

/** What happened and what to do, on one line. */
export function faultText({ message, hint }: Fault): string {
  return [message, hint].filter(Boolean).join(' ');
}
