import { claimedName } from '../model/author-name.ts';
import type { SessionId } from '../model/ids.ts';
import type { Stamped } from '../model/record-order.ts';
import type { BundleProject, SessionLine } from './bundle-line.ts';

/**
 * A bundle as words of someone else: each record gets its author. What is left out speaks for its maker alone: settings,
 * purges, and links to projects of this archive.
 */
export function asOthers(bundle: BundleProject, author: string): BundleProject {
  const signed = <R extends Stamped>(records: readonly R[]): R[] =>
    records.map((record) => ({ ...record, author: claimedName(record.author, author), via: 'import' }));
  const sessions = new Map<SessionId, SessionLine>();
  for (const [id, line] of bundle.sessions)
    sessions.set(id, { ...line, record: { ...line.record, by: claimedName(line.record.by, author) } });
  return {
    ...bundle,
    sessions,
    overlays: signed(bundle.overlays),
    factEdits: signed(bundle.factEdits),
    conceptEdits: signed(bundle.conceptEdits),
    fieldEdits: signed(bundle.fieldEdits.filter(({ field }) => field === 'session')),
    compositions: bundle.compositions.map((record) => ({ ...record, by: claimedName(record.by, author) })),
    tombstones: [],
    links: [],
  };
}
