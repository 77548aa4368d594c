import { Fault, type FaultCode } from '../core/model/fault.ts';

/** A project's own trouble: the others can be worked with all the same. */
const OWN = new Set<FaultCode>(['newer-version', 'unreadable', 'corrupt']);

/** What one project gives; undefined, and told of, when it can't be read. For what asks for many projects at once. */
export async function ifReadable<T>(
  work: Promise<T>,
  report: (note: string) => void = () => {},
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Fault) || !OWN.has(error.code)) throw error;
    report([error.message, error.hint].filter(Boolean).join(' '));
    return undefined;
  }
}
