import { isSessionId, type ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { restoredVersions } from '../compress/restore-versions.ts';
import { isGone } from '../find/is-gone.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { ProjectBook } from '../intake/project-book.ts';
import { hasOtherExtent, loadState } from '../intake/session-state.ts';
import { sweepPurged } from '../purge/sweep.ts';
import type { RunOptions, SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';
import { RepairRun, type Unrefined } from './repair-run.ts';

/**
 * Repairs what is missing: archived copies that no manifest names (it was lost), refined files that are gone or were made
 * by an older engine. Works from the archive's own copies alone.
 */
export async function repairProjects(
  world: World,
  report: SyncReport,
  options: RunOptions,
  taken: ReadonlySet<string> = new Set(),
): Promise<void> {
  const book = new ProjectBook(world);
  const work: { manifest: Manifest; found: Unrefined[] }[] = [];
  for (const project of await world.archive.projects()) {
    const manifest = await book.manifest(project);
    if (!manifest) continue;
    await sweepPurged(world, manifest, taken);
    work.push({ manifest, found: await unrefined(world, project, manifest) });
  }
  const run = new RepairRun(world, { book, report, options, all: work.flatMap(({ found }) => found) });
  for (const { manifest, found } of work) {
    if (!(await run.project(manifest.projectId, found))) break;
    await bringBackVersions(world, book, manifest, new Set(found.map(({ session }) => session)));
    // A run that is killed has done these for good.
    await book.flush();
  }
  await book.close();
  run.report();
  report.notes.push(...book.notes.filter((note) => !report.notes.includes(note)));
}

/** A manifest that was rebuilt knows nothing about versions whose files are here. */
async function bringBackVersions(
  world: World,
  book: ProjectBook,
  manifest: Manifest,
  repaired: ReadonlySet<string>,
): Promise<void> {
  const project = manifest.projectId;
  for (const name of await world.archive.files.list(project, 'summaries')) {
    const [session = '', file] = name.split('/');
    if (file !== 'versions.json' || !isSessionId(session) || manifest.parts[session]) continue;
    const record = manifest.sessions[session];
    if (record ? record.compressions.length > 0 : !repaired.has(session)) continue;
    const changes = await restoredVersions(world, { project, session });
    if (changes.length > 0) await book.add(project, changes, []);
  }
}

async function unrefined(world: World, project: ProjectId, manifest: Manifest): Promise<Unrefined[]> {
  const refined = new Set(await world.archive.files.list(project, 'memory/sessions'));
  const found: Unrefined[] = [];
  const { config } = await world.settings.resolve(manifest.settings);
  const { extent } = config.keepit;
  for (const name of await world.archive.originals.list(project)) {
    const session = name.endsWith('.jsonl') && !name.includes('/') ? name.slice(0, -'.jsonl'.length) : '';
    if (!isSessionId(session)) continue;
    const record = Object.hasOwn(manifest.sessions, session) ? manifest.sessions[session] : undefined;
    if (
      record &&
      // One of a newer version of Keepsake is not made worse again.
      record.engine >= REFINE_ENGINE &&
      (record.l1.file === '' || refined.has(fileName(record.l1.file))) &&
      !(await reachesOtherwise(world, { project, session }, record, extent))
    )
      continue;
    if (!record && isGone(manifest, session)) continue;
    found.push({ session, record });
  }
  return found;
}

/** Its keepits were found before the setting `keepit.extent` was changed. */
async function reachesOtherwise(
  world: World,
  ref: SessionRef,
  { keepitMarkers }: SessionRecord,
  extent: 'paragraph' | 'message',
): Promise<boolean> {
  if (keepitMarkers.length === 0) return false;
  const state = await loadState(world, ref);
  return state !== undefined && hasOtherExtent(state, extent);
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
