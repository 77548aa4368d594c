import { shortHash } from '../../core/model/ids.ts';

/** Stamps of things as one: as long as it is the same, none of them has changed. */
export function stampHash(parts: readonly string[]): string {
  return shortHash(parts.join('\0'), 32);
}
