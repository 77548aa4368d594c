import { shortHash } from '../../core/model/ids.ts';

/** Derived, so that what the history tells again is known to be the same. */
export function overlayIdOf(
  sessionId: string,
  markerId: string,
  action: string,
  weight: unknown,
  at: string,
): string {
  const told = typeof weight === 'number' ? weight.toFixed(2) : '';
  return `o_${shortHash(`${sessionId}\n${markerId}\n${action}\n${told}\n${at}`, 16)}`;
}
