import type { Change } from '../../core/model/change.ts';
import type { Part, PrunedVersion, VersionRecord } from '../../core/model/version.ts';
import { partSchema, prunedVersionSchema, versionRecordSchema } from '../../core/model/version.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { versionFolder } from './version-files.ts';

/** What a lost manifest said of a session's versions, from the files beside them. Those without files are left out. */
export async function restoredVersions(world: World, ref: SessionRef): Promise<Change[]> {
  const { files } = world.archive;
  const folder = versionFolder(ref.session);
  const bytes = await files.read(ref.project, `${folder}/versions.json`);
  if (!bytes) return [];
  const { parts, versions, pruned } = readVersionsFile(bytes.toString('utf8'));
  const stored = new Set(await files.list(ref.project, folder));
  const whole = versions.filter(({ file }) => stored.has(`${file}.md`) && stored.has(`${file}.jsonl`));
  return [
    ...parts.map((part) => ({ at: ['parts', ref.session], append: part, unique: 'part' })),
    ...whole.map((version) => ({
      at: ['sessions', ref.session, 'compressions'],
      append: version,
      unique: 'versionId',
    })),
    ...pruned.map((version) => ({
      at: ['sessions', ref.session, 'pruned'],
      append: version,
      unique: 'versionId',
    })),
  ];
}

function readVersionsFile(text: string): {
  parts: Part[];
  versions: VersionRecord[];
  pruned: PrunedVersion[];
} {
  let content: { parts?: unknown; versions?: unknown; pruned?: unknown };
  try {
    content = JSON.parse(text) as typeof content;
  } catch {
    return { parts: [], versions: [], pruned: [] };
  }
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  return {
    parts: list(content.parts).flatMap((it) => partSchema.safeParse(it).data ?? []),
    versions: list(content.versions).flatMap((it) => versionRecordSchema.safeParse(it).data ?? []),
    pruned: list(content.pruned).flatMap((it) => prunedVersionSchema.safeParse(it).data ?? []),
  };
}
