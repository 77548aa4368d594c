import type { CompositionRequest } from '../../core/model/composition.ts';
import { Fault } from '../../core/model/fault.ts';
import type { VersionRecord } from '../../core/model/version.ts';
import { versionOrFault } from '../compress/versions.ts';
import { type NewPart, nextPart } from '../session/parts.ts';
import type { SessionSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import type { Member } from './members.ts';

/** A stretch of a session that one version covers: a part, what is new since, or an exchange still going on. */
export type ComposedSegment = {
  part: NewPart;
  /** `open`: it may never become a version, since it has not ended. */
  kind: 'part' | 'next' | 'open';
  versions: VersionRecord[];
  want: Want;
};

export type Want =
  | { how: 'auto' }
  | { how: 'original' }
  | { how: 'version'; record: VersionRecord }
  | { how: 'recompress' };

/** The session in stretches, first to last; none where nobody said anything. */
export async function composedSegments(
  world: World,
  member: Member,
  source: SessionSource,
  wanted: Map<number, Want>,
): Promise<ComposedSegment[]> {
  const { parts } = source;
  const rest = member.asked.recompress ? { how: 'recompress' as const } : wanted.get(0);
  const wantOf = (part: number): Want => wanted.get(part) ?? rest ?? { how: 'auto' };
  const segments: ComposedSegment[] = parts.map((part) => ({
    part,
    kind: 'part',
    versions: source.record.compressions.filter((version) => version.part === part.part),
    want: wantOf(part.part),
  }));
  const next = await nextPart(world, source);
  if (next.part) segments.push({ part: next.part, kind: 'next', versions: [], want: wantOf(next.part.part) });
  if (!next.waiting) return segments;
  const done = next.part ? [...parts, { ...next.part, createdAt: '' }] : parts;
  const open = await nextPart(world, { ...source, parts: done }, { force: true });
  // Nothing of it can be named by a version: a version that was asked for does not reach it.
  const want: Want = wanted.get(0) ?? { how: 'auto' };
  if (open.part) segments.push({ part: open.part, kind: 'open', versions: [], want });
  return segments;
}

/** What a component names, by part; 0 is all that is not named. `lenient`: what is gone is chosen again, with a note. */
export function wantsOf(
  record: Member['record'],
  asked: CompositionRequest['components'][number],
  lenient?: (note: string) => void,
): Map<number, Want> {
  const wants = new Map<number, Want>();
  const names = asked.versionId.split('+').map((name) => name.trim());
  for (const name of names) {
    if (name === '' || /^(?:auto|composed|none)$/i.test(name)) continue;
    if (/^original$/i.test(name)) {
      wants.set(0, { how: 'original' });
      continue;
    }
    const part = /^part0*([1-9]\d*)_original$/i.exec(name)?.[1];
    if (part !== undefined) wants.set(Number(part), { how: 'original' });
    else {
      const found = versionOr(record.compressions, name, lenient);
      if (found) wants.set(found.part, { how: 'version', record: found });
    }
  }
  return wants;
}

function versionOr(
  versions: VersionRecord[],
  name: string,
  lenient: ((note: string) => void) | undefined,
): VersionRecord | undefined {
  const found = versionOrFault(versions, name);
  if (!(found instanceof Fault)) return found;
  if (!lenient) throw found;
  lenient(`${name} no longer exists; Keepsake chose another version.`);
  return undefined;
}
