import type { Change } from '../../core/model/change.ts';
import { purgesOf } from '../../core/model/change.ts';
import { cleaned } from '../../core/model/cleaned.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { PurgeMask } from '../../core/model/purge-mask.ts';
import { sha256 } from '../../core/model/sha256.ts';
import { COMPOSITION, removeComposed } from '../compose/files.ts';
import { readStored } from '../read-stored.ts';
import type { World } from '../world.ts';

const LISTS = ['overlays', 'factEdits', 'conceptEdits', 'fieldEdits', 'links'] as const;

/** A project's record without the texts, based on its state at the time of writing: only the affected places are rewritten. */
export async function cleanRecord(world: World, project: ProjectId, mask: PurgeMask): Promise<void> {
  let gone: string[] = [];
  await world.archive.changeFrom(project, (now) => {
    const made = cleaningOf(now, mask);
    gone = made.gone;
    return made.changes;
  });
  for (const name of gone) await removeComposed(world, project, name);
}

/** `gone`: compositions that go whole. */
function cleaningOf(manifest: Manifest, mask: PurgeMask): { changes: Change[]; gone: string[] } {
  const changes: Change[] = [];
  const gone: string[] = [];
  for (const [id, record] of Object.entries(manifest.sessions)) {
    const clean = cleaned(record, mask);
    const unless = { purged: id, beyond: purgesOf(manifest, id) };
    if (clean !== record) changes.push({ at: ['sessions', id], put: clean, unless });
  }
  for (const list of LISTS) {
    const clean = cleaned(manifest[list], mask);
    if (clean !== manifest[list]) changes.push({ at: [list], put: clean });
  }
  for (const [name, record] of Object.entries(manifest.compositions)) {
    // Its folder has that name.
    if (mask.clean(name) !== name) {
      gone.push(name);
      changes.push({ at: ['compositions', name], drop: true });
      continue;
    }
    const clean = cleaned(record, mask);
    if (clean !== record) changes.push({ at: ['compositions', name], put: clean });
  }
  for (const field of ['displayName', 'settings'] as const) {
    const clean = cleaned(manifest[field], mask);
    if (clean !== manifest[field]) changes.push({ at: [field], put: clean });
  }
  return { changes, gone };
}

/** The texts of compositions were overwritten: their hashes say what is there now. */
export async function rehashCompositions(world: World, manifest: Manifest): Promise<number> {
  const project = manifest.projectId;
  const { files } = world.archive;
  let changed = 0;
  for (const [name, record] of Object.entries(manifest.compositions)) {
    const merge: Record<string, string> = {};
    for (const [ending, key] of [
      ['md', 'markdownHash'],
      ['jsonl', 'jsonlHash'],
    ] as const) {
      if (record[key] === undefined) continue;
      const bytes = await files.read(project, `composed/${name}/composed.${ending}`);
      const hash = bytes && sha256(bytes);
      if (hash !== undefined && hash !== record[key]) merge[key] = hash;
    }
    if (Object.keys(merge).length === 0) continue;
    changed++;
    const file = `composed/${name}/composition.json`;
    const { state, value } = await readStored(world, project, file, COMPOSITION);
    if (state !== 'missing')
      await files.write(project, file, `${JSON.stringify({ ...(value ?? record), ...merge }, null, 2)}\n`);
    await world.archive.change(project, [{ at: ['compositions', name], merge }]);
  }
  return changed;
}
