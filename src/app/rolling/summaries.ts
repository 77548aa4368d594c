import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import {
  type ArchiveSummary,
  type SessionTopics,
  summarizeArchive,
} from '../../core/rolling/archive-summary.ts';
import { type RotatedFile, readIndex, withSummary } from '../../core/rolling/index-file.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import type { World } from '../world.ts';
import { sessionMark } from './delta.ts';
import { INDEX_FILE, RollingMemory, readArchived } from './rolling-memory.ts';

export type SummaryRequest = {
  /** Only this archive. */
  file?: string;
  /** Those that have one, too. */
  again?: boolean;
  signal?: AbortSignal;
};

/** Has a model write it, instead of the way without one. */
export type SummarizeArchive = (file: string, text: string) => Promise<ArchiveSummary>;

/** A summary for every archive that has none. Gives the names of what was written. */
export async function writeSummaries(
  world: World,
  project: ProjectId,
  request: SummaryRequest = {},
  byModel?: SummarizeArchive,
): Promise<string[]> {
  const { files } = world.archive;
  const { index } = readIndex((await files.read(project, INDEX_FILE))?.toString());
  const named = request.file?.replace(/^memory\//, '').replace(/\.summary\.json$/, '.md');
  const wanted = index.rotatedFiles.filter(({ file }) => named === undefined || file === named);
  if (named !== undefined && wanted.length === 0) {
    throw new Fault('not-found', `No archive ${JSON.stringify(request.file)}.`, {
      hint: '`keepsake memory list` shows them.',
    });
  }
  const written: string[] = [];
  const settled: string[] = [];
  for (const rotated of wanted) {
    // What was written until then is noted.
    if (request.signal?.aborted) break;
    const there = await hasSummary(world, project, rotated);
    if (there && !request.again && named === undefined) {
      if (!rotated.summaryGenerated) settled.push(rotated.file);
      continue;
    }
    const text = (await readArchived(world, project, rotated.file))?.toString();
    if (text === undefined) continue;
    const summary = byModel
      ? await byModel(rotated.file, text)
      : summarizeArchive(rotated.file, text, world.clock.now(), await topicsOf(world, project));
    await files.write(project, `memory/${rotated.summary}`, `${JSON.stringify(summary, null, 2)}\n`);
    written.push(rotated.summary);
    settled.push(rotated.file);
  }
  if (settled.length > 0) await note(world, project, settled);
  request.signal?.throwIfAborted();
  return written;
}

/** The names of the concepts that each session belongs to. */
async function topicsOf(world: World, project: ProjectId): Promise<SessionTopics> {
  const sessions = Object.values((await world.archive.open(project))?.manifest.sessions ?? {});
  return new Map(
    sessions.map(({ sessionId, metadata }) => [sessionMark(sessionId), metadata.primaryTopics ?? []]),
  );
}

async function hasSummary(world: World, project: ProjectId, { summary }: RotatedFile): Promise<boolean> {
  return (await world.archive.files.size(project, `memory/${summary}`)) > 0;
}

async function note(world: World, project: ProjectId, files: string[]): Promise<void> {
  const count = await loadTokenCounter();
  await world.archive.exclusive(async () => {
    const rolling = await RollingMemory.open(world, project, count);
    await rolling.writeIndex(files.reduce(withSummary, rolling.index));
  });
}
