import type { FaultCode } from '../core/model/fault.ts';
import { unlessFault } from './or-fault.ts';

/** The trouble of one project or file: the others can be worked with anyway. */
const OWN: readonly FaultCode[] = ['newer-version', 'unreadable', 'corrupt'];

/** What one project gives; undefined, and reported, when it can't be read. For what asks for many projects at once. */
export async function ifReadable<T>(
  work: Promise<T>,
  report?: (note: string) => void,
): Promise<T | undefined> {
  return unlessFault(work, OWN, report);
}
