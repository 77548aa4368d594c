import { purgesOf } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { removeVersionFiles, writeVersionsFile } from './version-files.ts';
import { listVersions, type VersionRow, versionNamed } from './versions.ts';

export type Pruned = { sessionId: string; versions: VersionRow[]; tokens: number };

/** The versions that a request means, with their uses. */
export async function whatToPrune(world: World, ref: SessionRef, ids: string[]): Promise<VersionRow[]> {
  const list = await listVersions(world, ref);
  const rows = [...list.older, ...list.parts.flatMap((part) => part.versions)];
  return [...new Set(ids.map((id) => versionNamed(rows, id) as VersionRow))];
}

/** Takes versions away: the record first, so that a kill leaves files without a record and never the reverse. */
export async function prune(
  world: World,
  ref: SessionRef,
  versions: VersionRow[],
  options: { force?: boolean } = {},
): Promise<Pruned> {
  const used = versions.filter((version) => version.usedIn.length > 0);
  if (used.length > 0 && !options.force) {
    const uses = used.map((version) => `${version.versionId} is used in ${version.usedIn.join(', ')}`);
    throw new Fault('in-use', `${uses.join('; ')}.`, {
      hint: 'Add --force to delete it anyway; the compositions keep their text.',
    });
  }
  const at = world.clock.now();
  const before = (await world.archive.open(ref.project))?.manifest;
  const guard = { purged: ref.session, beyond: purgesOf(before, ref.session) };
  await world.archive.change(
    ref.project,
    versions.flatMap(({ versionId, jsonlHash }) => [
      { at: ['sessions', ref.session, 'compressions'], without: { versionId } },
      {
        at: ['sessions', ref.session, 'pruned'],
        append: { versionId, jsonlHash },
        unique: 'versionId',
        unless: guard,
      },
    ]),
    versions.map(({ versionId, outputTokens }) => ({
      at,
      action: 'prune' as const,
      sessionId: ref.session,
      note: `${versionId}: ${outputTokens} tokens; the original is kept`,
    })),
  );
  for (const version of versions) await removeVersionFiles(world, ref, version.file);
  const opened = await world.archive.open(ref.project);
  if (opened) await writeVersionsFile(world, ref, opened.manifest);
  const tokens = versions.reduce((sum, version) => sum + version.outputTokens, 0);
  return { sessionId: ref.session, versions, tokens };
}
