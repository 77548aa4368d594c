import { Fault } from '../../core/model/fault.ts';
import type { Finding } from '../../ports/archive.ts';

/** What a check finds; whatever it ends in is a finding, too, and the others go on. An abort ends them all. */
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
