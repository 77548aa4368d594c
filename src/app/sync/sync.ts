import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { finishImport } from '../bundle/import.ts';
import { missedMarkers } from '../find/missed-markers.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { findOfOthers } from '../intake/find-of-others.ts';
import type { FileIdentity } from '../intake/identify-file.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import type { ProjectSeed } from '../intake/project-book.ts';
import { syncLayers } from '../layers/sync.ts';
import { coverLateSecrets } from '../purge/cover-late-secrets.ts';
import { finishPurges } from '../purge/finish.ts';
import { erasePurgedMeanwhile, purgedTombstones } from '../purge/purged-meanwhile.ts';
import { maintain } from '../retention/retention.ts';
import { syncMemory } from '../rolling/sync.ts';
import { bringIndexUp } from '../search/bring-index-up.ts';
import { noteRecordSettings } from '../settings/note-record-settings.ts';
import {
  newReport,
  type RunOptions,
  type SyncProgress,
  type SyncReport,
  unreadableProblem,
} from '../sync-report.ts';
import type { World } from '../world.ts';
import { sessionsBelow } from './find-everywhere.ts';
import { noteRepositories } from './note-repositories.ts';
import { repairProjects } from './repair-projects.ts';
import { noteSeen, seenPlaces } from './sync-unread.ts';

export type SyncOptions = RunOptions & {
  /** Other folders to search, only this time. */
  from?: string[];
  sample?: boolean;
  /** Before the first of these is read. */
  onFound?: (files: FoundTranscript[]) => Promise<void>;
};

/** Finds new and grown sessions everywhere, takes them in, and mends what is missing in the archive. */
export async function sync(world: World, options: SyncOptions = {}): Promise<SyncReport> {
  const report = newReport();
  const finished = await finishImport(world);
  if (finished) report.notes.push(`Finished the interrupted import of ${finished.file}.`, ...finished.notes);
  if (await finishPurges(world)) report.notes.push('Finished an interrupted purge.');
  const purged = await purgedTombstones(world);
  const files = await findAll(world, options, report);
  const seen = options.from ? undefined : await seenPlaces(world, files, true);
  await options.onFound?.(files);
  const taken = new Set<string>();
  const refs: SessionRef[] = [];
  const since = world.clock.now();
  if (files.length > 0) {
    await ingestFiles(world, files, report, {
      ...options,
      ...(options.sample ? { projectOf: sampleProject } : {}),
      onIngested: (project, session) => {
        taken.add(session);
        refs.push({ project, session });
      },
    });
  }
  if (seen) await noteSeen(world, seen);
  await repairProjects(world, report, options, taken);
  if ((await coverLateSecrets(world)) > 0)
    report.notes.push('Keepsake recognized a value as a secret and removed it from stored memory.');
  await noteRepositories(world);
  report.notes.push(...(await missedMarkers(world, refs)));
  const projects = await world.archive.projects();
  const onProject = (phase: SyncProgress['phase']) => (done: number, total: number, current?: ProjectId) =>
    options.onProgress?.({ phase, done, total, bytes: 0, totalBytes: 0, ...(current ? { current } : {}) });
  await syncLayers(world, projects, { report, signal: options.signal, onProject: onProject('layers') });
  await syncMemory(world, projects, { report, signal: options.signal, onProject: onProject('memory') });
  await maintain(world, refs, since, { report, signal: options.signal });
  await world.archive.sweep();
  await noteRecordSettings(world);
  if (!options.signal?.aborted) report.notes.push(...(await bringIndexUp(world, onProject('index'))));
  await erasePurgedMeanwhile(world, purged, refs);
  return report;
}

async function findAll(world: World, options: SyncOptions, report: SyncReport): Promise<FoundTranscript[]> {
  const unreadable: string[] = [];
  const files: FoundTranscript[] = [];
  for (const folder of options.from ?? world.places.claudeProjects) {
    const found = await world.transcripts.inspect(folder);
    if (found === 'folder') {
      const below = options.from
        ? sessionsBelow(world, folder, unreadable)
        : world.transcripts.find(folder, unreadable, { hidden: false });
      files.push(...(await below));
    } else if (found) files.push((await world.agents?.document(folder, world.clock.millis())) ?? found);
    else if ((await world.machine.accessTo(folder)) === 'none') unreadable.push(folder);
    else if (options.from) {
      throw new Fault('not-found', `Folder not found: ${folder}.`, {
        hint: 'Give the folder that contains the .jsonl files.',
      });
    }
    options.onProgress?.({ phase: 'find', done: files.length, total: files.length, bytes: 0, totalBytes: 0 });
  }
  if (!options.from) files.push(...(await findOfOthers(world, unreadable)));
  report.problems.push(...unreadable.map(unreadableProblem));
  return files;
}

function sampleProject(_: FoundTranscript, { cwd }: FileIdentity): ProjectSeed | undefined {
  return cwd ? { path: cwd, sample: true, displayName: 'sample project' } : undefined;
}
