import type { SessionRecord } from '../model/session.ts';
import { type Part, type VersionRecord, versionId } from '../model/version.ts';
import type { SessionLine } from './bundle-line.ts';
import { versionContentId } from './content-id.ts';

/** An imported version: its former name, and its record in this archive. */
export type IncomingVersion = { was: string; record: VersionRecord };
export type MergedVersions = {
  parts: Part[];
  versions: IncomingVersion[];
  /** What a version is called here, where it goes by another name. */
  names: Map<string, string>;
  /** Versions of parts that were cut otherwise here. */
  leftOut: number;
};

const FILE = /^part\d+_v\d+_([A-Za-z0-9._-]{1,100})$/;

/** Parts stay as they are cut here; versions of the same parts come in, under the next number where theirs is taken. */
export function mergeVersions(
  mine: SessionRecord | undefined,
  myParts: readonly Part[],
  { record, parts }: SessionLine,
): MergedVersions {
  const merged: MergedVersions = { parts: [], versions: [], names: new Map(), leftOut: 0 };
  const cut = new Map(myParts.map((part) => [part.part, part]));
  const fits = (part: Part) => {
    const known = cut.get(part.part);
    return !known || (known.bytes[0] === part.bytes[0] && known.bytes[1] === part.bytes[1]);
  };
  // Parts follow one another: behind one that was cut otherwise nothing fits.
  const end = parts.findIndex((part) => !fits(part));
  const same = end === -1 ? parts : parts.slice(0, end);
  merged.parts = same.filter(({ part }) => !cut.has(part));
  const existing = [...(mine?.compressions ?? [])];
  const gone = mine?.pruned ?? [];
  for (const version of record.compressions) {
    const [, settings] = FILE.exec(version.file) ?? [];
    if (settings === undefined || !same.some(({ part }) => part === version.part)) {
      merged.leftOut++;
      continue;
    }
    // Its JSONL may differ in the hash of what went in: there secrets were masked.
    const content = versionContentId(version);
    const known = existing.find((other) => versionContentId(other) === content);
    if (known || gone.some((other) => other.jsonlHash === version.jsonlHash)) {
      if (known) merged.names.set(version.versionId, known.versionId);
      continue;
    }
    const taken = [...existing, ...gone].filter((it) => it.versionId.startsWith(`part${version.part}_`));
    const isFree = !taken.some((it) => it.versionId === version.versionId);
    const id = isFree ? version.versionId : versionId(version.part, 1 + Math.max(0, ...taken.map(numberOf)));
    const fresh = { ...version, versionId: id, file: `${id}_${settings}` };
    merged.names.set(version.versionId, id);
    merged.versions.push({ was: version.versionId, record: fresh });
    existing.push(fresh);
  }
  return merged;
}

function numberOf({ versionId: id }: { versionId: string }): number {
  return Number(id.split('_v')[1] ?? 0);
}
