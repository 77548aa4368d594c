import { Fault } from '../../core/model/fault.ts';

/** What the system says names files of this machine: only what it means is passed on. */
const SYSTEM = new Map<unknown, () => Fault>([
  ['ENOSPC', () => new Fault('disk-full', 'The disk is full.', { hint: 'Free some space, then try again.' })],
  [
    'EDQUOT',
    () => new Fault('disk-full', 'The disk quota is used up.', { hint: 'Free some space, then try again.' }),
  ],
  ['EROFS', () => new Fault('read-only', 'The archive is on a read-only disk.')],
]);

/** Anything thrown, as the client sees it: what was not expected goes to the log alone. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof Error && error.name === 'AbortError') return new Fault('cancelled', 'Stopped.');
  const known = error instanceof Error && 'code' in error ? SYSTEM.get(error.code)?.() : undefined;
  return known ?? new Fault('internal', 'Internal error.', { cause: error });
}
