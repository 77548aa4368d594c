import { shortHash } from './ids.ts';

/** Derived, so that an overlay restored from the history has the id that it had. */
export function overlayIdOf(
  sessionId: string,
  at: string,
  overlay: { markerId?: unknown; action?: unknown; weight?: unknown },
): string {
  const { markerId, action } = overlay;
  const weight = typeof overlay.weight === 'number' ? overlay.weight.toFixed(2) : '';
  return `o_${shortHash(`${sessionId}\n${markerId}\n${action}\n${weight}\n${at}`, 16)}`;
}
