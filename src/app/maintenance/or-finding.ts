import { Fault } from '../../core/model/fault.ts';
import type { Finding } from '../../ports/archive.ts';

/** The finding of a check; its fault is a finding, too, and other checks continue. An abort ends them all. */
export async function orFinding(
  subject: string,
  check: Promise<Finding[]>,
  signal?: AbortSignal,
): Promise<Finding[]> {
  try {
    return await check;
  } catch (error) {
    signal?.throwIfAborted();
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof Fault ? error.hint : undefined;
    return [{ level: 'error', subject, message, ...(hint === undefined ? {} : { hint }) }];
  }
}
