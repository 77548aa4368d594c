import { z } from 'zod';
import { sessionIdSchema } from '../../core/model/id-schemas.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { type VersionRecord, versionRecordSchema } from '../../core/model/version.ts';
import { readStored, readStoredLines, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

const PLAN = 'decay/run.json';
const DONE = 'decay/done.jsonl';
const ASIDE = 'decay/kept';
const NEWLINE = 10;
/** Bytes; an id, a number and a name. */
const LONGEST_STEP = 4096;

const runSchema = z.object({
  version: z.literal(1),
  runId: z.string(),
  at: z.string(),
  /** `running` and `undoing` were interrupted if no process works on them: the next run finishes them. */
  state: z.enum(['running', 'done', 'undoing', 'undone']),
  create: z.array(
    z.object({
      sessionId: sessionIdSchema,
      part: z.number().int(),
      preset: z.enum(['gentle', 'standard', 'aggressive']),
    }),
  ),
  prune: z.array(
    z.object({
      sessionId: sessionIdSchema,
      // As it was, letter for letter: a parsed one would have its fields in another order.
      version: z.custom<VersionRecord>((it) => versionRecordSchema.safeParse(it).success),
    }),
  ),
});
/** What a run does in one project: written before anything is done, so that it can be finished and undone. */
export type RetentionRun = z.infer<typeof runSchema>;

const stepSchema = z.object({
  sessionId: sessionIdSchema,
  part: z.number().int(),
  made: z.string().nullable(),
});
/** One creation that is over: the version it made, or null if it could not. */
export type RetentionStep = z.infer<typeof stepSchema>;

export const RETENTION_RUN: StoredKind<RetentionRun> = {
  schema: runSchema,
  format: ['version', 1],
  damaged:
    "The last retention run can't be finished or undone, and no new one starts, so that the versions in decay/kept are not lost. To continue without them, delete this file.",
};
export const RETENTION_STEPS: StoredKind<RetentionStep> = {
  schema: stepSchema,
  damaged: 'Keepsake looks up the missing steps in the record of the run.',
  derived: true,
};

export async function readRun(world: World, project: ProjectId): Promise<RetentionRun | undefined> {
  return (await readStored(world, project, PLAN, RETENTION_RUN)).value;
}

/** False if the previous plan cannot be read: a new one would delete what that plan put aside. */
export async function mayBegin(world: World, project: ProjectId): Promise<boolean> {
  return (await readStored(world, project, PLAN, RETENTION_RUN)).state !== 'damaged';
}

export async function writeRun(world: World, project: ProjectId, run: RetentionRun): Promise<void> {
  await world.archive.files.write(project, PLAN, `${JSON.stringify(run)}\n`);
}

/** A new run takes the place of the one before, which can no longer be undone. */
export async function beginRun(world: World, project: ProjectId, run: RetentionRun): Promise<void> {
  const { files } = world.archive;
  await files.remove(project, PLAN);
  await files.remove(project, DONE);
  for (const name of await files.list(project, ASIDE)) await files.remove(project, `${ASIDE}/${name}`);
  await writeRun(world, project, run);
}

/** A torn last line is a step that was not over. */
export async function readSteps(world: World, project: ProjectId): Promise<RetentionStep[]> {
  return readStoredLines(world, project, DONE, RETENTION_STEPS);
}

export async function addStep(world: World, project: ProjectId, step: RetentionStep): Promise<void> {
  const { files } = world.archive;
  const size = await files.size(project, DONE);
  const from = Math.max(0, size - LONGEST_STEP);
  const tail = size === 0 ? Buffer.alloc(0) : await files.readAt(project, DONE, from, size - from);
  // What a killed run left of a line is written over.
  await files.writeAt(project, DONE, from + tail.lastIndexOf(NEWLINE) + 1, `${JSON.stringify(step)}\n`);
}

type Pruned = RetentionRun['prune'][number];
const ENDINGS = ['md', 'jsonl'] as const;

/** Puts a version's files aside. False where one is gone: then it can't be brought back, and stays. */
export async function keepFiles(
  world: World,
  project: ProjectId,
  { sessionId, version }: Pruned,
): Promise<boolean> {
  const { files } = world.archive;
  for (const ending of ENDINGS) {
    const bytes = await files.read(project, `summaries/${sessionId}/${version.file}.${ending}`);
    const aside = `${ASIDE}/${sessionId}/${version.file}.${ending}`;
    if (bytes) await files.write(project, aside, bytes);
    else if ((await files.size(project, aside)) === 0) return false;
  }
  return true;
}

/** Brings the files back. False if they were not kept, or other bytes are under that name. */
export async function bringBackFiles(
  world: World,
  project: ProjectId,
  { sessionId, version }: Pruned,
): Promise<boolean> {
  const { files } = world.archive;
  for (const ending of ENDINGS) {
    const name = `summaries/${sessionId}/${version.file}.${ending}`;
    const bytes = await files.read(project, `${ASIDE}/${sessionId}/${version.file}.${ending}`);
    const existing = await files.read(project, name);
    if (bytes && !existing) await files.write(project, name, bytes);
    else if (!existing || (bytes && !existing.equals(bytes))) return false;
  }
  return true;
}

/** Nothing of a session that is purged is kept to be brought back, nor named by the record of the run. */
export async function forgetInRun(world: World, project: ProjectId, sessionId: string): Promise<void> {
  const { files } = world.archive;
  const folder = `${ASIDE}/${sessionId}`;
  for (const name of await files.list(project, folder)) await files.remove(project, `${folder}/${name}`);
  const run = await readRun(world, project);
  if (!run) return;
  const isOther = (it: { sessionId: string }) => it.sessionId !== sessionId;
  const prune = run.prune.filter(isOther);
  if (prune.length < run.prune.length) await writeRun(world, project, { ...run, prune });
}

/** What a run made of a part, as far as the record shows. */
export function isMadeBy(run: RetentionRun, version: VersionRecord, part: number, preset: string): boolean {
  return version.part === part && version.settings.tierPreset === preset && version.createdAt >= run.at;
}

export function isSameVersion(one: VersionRecord, other: VersionRecord): boolean {
  return one.versionId === other.versionId && one.jsonlHash === other.jsonlHash;
}
