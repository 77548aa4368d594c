import type { Tombstone } from '../../core/model/manifest.ts';
import type { PurgedText } from '../../core/model/purge-mask.ts';

/** The texts that tombstones represent, each once. */
export function textsOf(tombstones: Tombstone[]): PurgedText[] {
  const texts = new Map<string, PurgedText>();
  for (const { id, salt, marks } of tombstones)
    if (salt !== undefined && marks) texts.set(id, { salt, marks });
  return [...texts.values()];
}
