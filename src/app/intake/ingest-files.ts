import { Fault } from '../../core/model/fault.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { SyncReport } from '../sync-report.ts';
import type { World } from '../world.ts';
import { stem } from './identify-file.ts';
import { type IngestFilesOptions, type IngestOutcome, IngestRun } from './ingest-run.ts';
import { ProjectBook } from './project-book.ts';
import { loadSources, type SourceCache, saveSources } from './source-cache.ts';

/** Ingests every file, one after the other; a file that can't be ingested is reported and left as it is. */
export async function ingestFiles(
  world: World,
  files: FoundTranscript[],
  report: SyncReport,
  options: IngestFilesOptions,
): Promise<void> {
  // Settings that can't be read end the run; a project's own that are wrong leave out only its files.
  await world.settings.resolve();
  const sources: SourceCache = options.explicit ? new Map() : await loadSources(world);
  const book = new ProjectBook(world);
  const counted: CountedFile[] = [];
  let sessions: string[] = [];
  const onIngested: IngestFilesOptions['onIngested'] = (project, session) => {
    sessions.push(`${project}/${session}`);
    options.onIngested?.(project, session);
  };
  const run = new IngestRun(world, { ...options, onIngested, book, sources, report });
  const totalBytes = files.reduce((sum, file) => sum + file.size, 0);
  let done = 0;
  try {
    for (const file of subagentsLast(files)) {
      options.onProgress?.({
        phase: 'read',
        done,
        total: files.length,
        bytes: report.bytes,
        totalBytes,
        current: file.path,
      });
      if (options.signal?.aborted)
        throw new Fault(
          'cancelled',
          'Stopped. What was imported so far is saved; run the command again to continue.',
        );
      sessions = [];
      const outcome = await run.file(file);
      counted.push({ path: file.path, sessions, outcome });
      report.bytes += file.size;
      done++;
    }
    await run.recordSubagents();
    run.noteUnknown();
  } finally {
    // What one asks for by name is one line in the log, whatever the project's size; a sync folds at its end.
    if (options.explicit) await book.flush();
    else {
      await book.close();
      if (report.found > 0) await saveSources(world, sources);
    }
    report.notes.push(...book.notes);
    countPurged(report, counted, book.purged);
  }
  options.onProgress?.({ phase: 'read', done, total: files.length, bytes: report.bytes, totalBytes });
}

type CountedFile = { path: string; sessions: string[]; outcome: IngestOutcome };

/** Whether a session was purged while it was read is known once its record would be written. */
function countPurged(report: SyncReport, files: CountedFile[], purged: ReadonlySet<string>): void {
  for (const { path, sessions, outcome } of files) {
    if (!sessions.some((session) => purged.has(session))) continue;
    report[outcome]--;
    report.skipped++;
    report.notes.push(`${path} was skipped because its session was purged at the same time.`);
  }
}

/** Older clients put a subagent's file beside the sessions: its session's project is known by then. */
function subagentsLast(files: FoundTranscript[]): FoundTranscript[] {
  const isSub = (file: FoundTranscript) => stem(file.path).startsWith('agent-');
  return [...files.filter((file) => !isSub(file)), ...files.filter(isSub)];
}
