import type { ProjectId } from '../../core/model/ids.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import { fields, figure, text } from '../../core/model/shape.ts';
import { NOTES } from '../../core/rolling/notes.ts';
import { eachProject, type ProjectsRun } from '../or-problem.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { finishMemory, rotateMemory } from './check.ts';
import { observeMemory } from './memory-records.ts';
import { rereadMemory } from './reread.ts';
import { MEMORY_FILE } from './rolling-memory.ts';
import { readRollingState } from './state.ts';

/** A memory.md of up to this many bytes need not be counted: it cannot exceed the token limit. */
const NEVER_TOO_LONG = 23_000;

/** memory.md of every project that changed since it was last brought up. One that can't be written does not stop the others. */
export async function syncMemory(world: World, projects: ProjectId[], run: ProjectsRun): Promise<void> {
  await eachProject(projects, run, (project) => syncProject(world, project, run));
}

async function syncProject(world: World, project: ProjectId, { report, signal }: ProjectsRun): Promise<void> {
  const head = await world.archive.head(project);
  if (!head) return;
  const { begun, engine } = await readRollingState(world, project);
  const isRead = !begun || engine === REFINE_ENGINE;
  const last = (await readStored(world, undefined, stateFile(project), UPDATED)).value;
  if (isRead && last?.gen === head.gen) {
    if ((last.files ?? '') !== (await filesNow(world, project))) await noteEdits(world, project, head.gen);
    // A person may have made it too long.
    if ((await world.archive.files.size(project, MEMORY_FILE)) > NEVER_TOO_LONG)
      await rotateMemory(world, project, false);
    return;
  }
  if (!isRead) await rereadMemory(world, project, signal);
  if (signal?.aborted) return;
  const { claudeMd } = await finishMemory(world, project);
  if (claudeMd?.reason !== undefined) report.notes.push(claudeMd.reason);
  // As it was before: what came meanwhile is for the next time.
  await noteEdits(world, project, head.gen);
}

/** What someone wrote into the files by hand is stamped when it is noticed: edits of other archives before that are earlier. */
async function noteEdits(world: World, project: ProjectId, gen: number): Promise<void> {
  const files = await filesNow(world, project);
  if (files !== '') await world.archive.exclusive(() => observeMemory(world, project));
  await world.archive.files.write(undefined, stateFile(project), JSON.stringify({ gen, files }));
}

/** Size and time of the files that people edit. */
async function filesNow(world: World, project: ProjectId): Promise<string> {
  const stamps: string[] = [];
  for (const name of ['memory', ...NOTES]) {
    const file = await world.transcripts.inspect(world.archive.files.path(project, `memory/${name}.md`));
    if (file && file !== 'folder') stamps.push(`${name} ${file.size} ${file.mtimeMs}`);
  }
  return stamps.join('\n');
}

const UPDATED: StoredKind<{ gen: number; files?: string }> = {
  schema: fields({ gen: figure }, { files: text }),
  damaged: 'Keepsake updates memory.md of the project again.',
};

function stateFile(project: ProjectId): string {
  return `rolling/${project}.json`;
}
