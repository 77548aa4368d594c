import { isSessionId, type ProjectId, type SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { restoredVersions } from '../compress/restore-versions.ts';
import { isGone } from '../find/is-gone.ts';
import { originalName } from '../find/session-ref.ts';
import { identifyFile } from '../intake/identify-file.ts';
import { ProjectBook } from '../intake/project-book.ts';
import { readingOf } from '../intake/reading.ts';
import { sessionChange } from '../intake/session-change.ts';
import { ENGINE } from '../intake/session-state.ts';
import { orProblem } from '../or-problem.ts';
import { sweepPurged } from '../purge/sweep.ts';
import type { RunOptions, SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';

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
  for (const project of await world.archive.projects()) {
    const manifest = await book.manifest(project);
    if (!manifest) continue;
    await sweepPurged(world, manifest, taken);
    const all = await unrefined(world, project, manifest);
    for (const found of all) {
      if (options.signal?.aborted) return;
      // A copy that can't be read is the trouble of its own session.
      const path = world.archive.originals.path(project, originalName(found.session));
      await orProblem(report, path, repair(world, { book, report }, { project, ...found }));
    }
    await bringBackVersions(world, book, manifest, new Set(all.map(({ session }) => session)));
  }
  await book.close();
  report.notes.push(...book.notes.filter((note) => !report.notes.includes(note)));
}

async function repair(
  world: World,
  { book, report }: { book: ProjectBook; report: SyncReport },
  { project, session, record }: Unrefined & { project: ProjectId },
): Promise<void> {
  const path = world.archive.originals.path(project, originalName(session));
  // A record that nothing was read for yet does not know its agent.
  const stated = record && record.engine > 0 ? (record.metadata.agent as Agent) : undefined;
  const agent = stated ?? (await identifyFile(world, path))?.agent;
  if (!agent) return;
  const reading = await readingOf(world, project);
  const originalFile = record?.originalFile ?? '';
  const change = await sessionChange(world, { project, session }, { agent, originalFile, ...reading });
  const note = 'Found in the archive but not in the manifest.';
  await book.add(
    project,
    [change],
    record ? [] : [{ at: world.clock.now(), action: 'recover', sessionId: session, note }],
  );
  if (!record) report.notes.push(`Session ${session} was brought back from the archive's own copy.`);
}

/** A manifest that was rebuilt knows nothing of versions whose files are here. */
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

/** Without a record it is in the archive but not in the manifest. */
type Unrefined = { session: SessionId; record: SessionRecord | undefined };

async function unrefined(world: World, project: ProjectId, manifest: Manifest): Promise<Unrefined[]> {
  const refined = new Set(await world.archive.files.list(project, 'memory/sessions'));
  const found: Unrefined[] = [];
  for (const name of await world.archive.originals.list(project)) {
    const session = name.endsWith('.jsonl') && !name.includes('/') ? name.slice(0, -'.jsonl'.length) : '';
    if (!isSessionId(session)) continue;
    const record = Object.hasOwn(manifest.sessions, session) ? manifest.sessions[session] : undefined;
    if (
      record &&
      record.engine === ENGINE &&
      (record.l1.file === '' || refined.has(fileName(record.l1.file)))
    )
      continue;
    if (!record && isGone(manifest, session)) continue;
    found.push({ session, record });
  }
  return found;
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
