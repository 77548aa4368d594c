import type { Change } from '../../core/model/change.ts';
import type { Schema } from '../../core/model/shape.ts';
import type { Part, PrunedVersion, VersionRecord } from '../../core/model/version.ts';
import { partSchema, prunedVersionSchema, versionRecordSchema } from '../../core/model/version.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';
import { VERSIONS, versionFolder, versionsFile } from './version-files.ts';

/** What a lost manifest said of a session's versions, from the files beside them. Those without files are left out. */
export async function restoredVersions(world: World, ref: SessionRef): Promise<Change[]> {
  const { files } = world.archive;
  const folder = versionFolder(ref.session);
  const { parts, versions, pruned } = await readVersionsFile(world, ref);
  if (parts.length + versions.length + pruned.length === 0) return [];
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

type Known = { parts: Part[]; versions: VersionRecord[]; pruned: PrunedVersion[] };

/** Each record that is whole; the others are counted. */
async function readVersionsFile(world: World, ref: SessionRef): Promise<Known> {
  const name = versionsFile(ref.session);
  const { value = {} } = await readStored(world, ref.project, name, VERSIONS);
  let damaged = 0;
  const whole = <T>(list: unknown[] | undefined, schema: Schema<T>): T[] =>
    (list ?? []).flatMap((it) => {
      const read = schema.safeParse(it);
      if (read.success) return [read.data];
      damaged++;
      return [];
    });
  const known = {
    parts: whole(value.parts, partSchema),
    versions: whole(value.versions, versionRecordSchema),
    pruned: whole(value.pruned, prunedVersionSchema),
  };
  if (damaged > 0) world.report?.(`${damaged} records of ${name} are damaged and were skipped.`);
  return known;
}
