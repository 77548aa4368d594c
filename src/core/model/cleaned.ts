import type { Change } from './change.ts';
import type { PurgeMask } from './purge-mask.ts';

/** A value without purged texts, in its keys too; the same value where none was found. */
export function cleaned<T>(value: T, mask: PurgeMask): T {
  const json = JSON.stringify(value);
  // One check of the whole text before it is split.
  if (json === undefined || mask.find(Buffer.from(json), true).length === 0) return value;
  return deep(value, mask) as T;
}

function deep(value: unknown, mask: PurgeMask): unknown {
  if (typeof value === 'string') return mask.clean(value);
  if (Array.isArray(value)) return value.map((item) => deep(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) copy[mask.clean(key)] = deep(item, mask);
  return copy;
}

/** The author of a change may have read its words before they were purged. Identities and deletions stay. */
export function cleanedChanges(changes: Change[], mask: PurgeMask): Change[] {
  return changes.map((change) => {
    const { at, drop, without } = change;
    if (at.length === 0 || at[0] === 'tombstones' || drop || without) return change;
    return cleaned(change, mask);
  });
}
