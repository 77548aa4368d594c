import { purgesOf } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isFree } from '../../core/retention/prunable.ts';
import { compressSession } from '../compress/compress.ts';
import { removeVersionFiles, writeVersionsFile } from '../compress/version-files.ts';
import { findProjectFolders } from '../find/project.ts';
import { openProjects } from '../find/projects.ts';
import { FATAL, orFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { noteCheck, type PlanOptions, planRetentionRun, type RetentionPlan } from './plan.ts';
import {
  addStep,
  beginRun,
  isMadeBy,
  isSameVersion,
  keepFiles,
  mayBegin,
  type RetentionRun,
  readRun,
  readSteps,
  writeRun,
} from './record.ts';
import { retentionSessions, usedVersions } from './sessions.ts';
import { finishUndo } from './undo.ts';

/** Versions that go with one common write. */
const BATCH = 100;

export type RetentionDone = {
  runId: string | null;
  at: string;
  made: { projectId: ProjectId; sessionId: SessionId; versionId: string; outputTokens: number }[];
  pruned: { projectId: ProjectId; sessionId: SessionId; versionId: string; outputTokens: number }[];
  /** What was planned and could not be done, with the reason. */
  left: { projectId: ProjectId; sessionId: SessionId; why: string }[];
  heldBack: string | null;
  /** An earlier run was cut off and finished first. */
  finished: boolean;
  /** Stopped before its end: the next run continues. */
  stopped: boolean;
};

export type RetentionRunOptions = PlanOptions & {
  /** A plan that was shown; without it one is made. */
  plan?: RetentionPlan;
  signal?: AbortSignal;
  /** The maximum number of versions to make. */
  most?: number;
  onStep?: (done: number, total: number, session: string) => void;
};

/** Carries out what the rules say: first versions are made, then others deleted. Originals are only ever read. */
export async function runRetention(world: World, options: RetentionRunOptions = {}): Promise<RetentionDone> {
  const done: RetentionDone = {
    runId: null,
    at: world.clock.now(),
    made: [],
    pruned: [],
    left: [],
    heldBack: null,
    finished: false,
    stopped: false,
  };
  const before = await finishRetention(world, options);
  if (before) Object.assign(done, before, { finished: true });
  if (done.stopped) return done;
  const plan = (!before && options.plan) || (await planRetentionRun(world, options));
  done.heldBack = plan.heldBack;
  const projects = new Set([...plan.create, ...plan.prune].map(({ projectId }) => projectId));
  let left = options.most ?? Number.POSITIVE_INFINITY;
  for (const project of projects) {
    const run = await recorded(world, project, plan, left);
    if (!run || !(await mayBegin(world, project))) continue;
    left -= run.create.length;
    done.runId = run.runId;
    await beginRun(world, project, run);
    await carryOut(world, { project, run }, done, options);
    if (done.stopped) return done;
  }
  await noteCheck(world, done.at, await projectOf(world, options.project));
  return done;
}

/** Finishes what was cut off, forwards or backwards. Undefined if nothing was. */
export async function finishRetention(
  world: World,
  options: Pick<RetentionRunOptions, 'signal' | 'onStep'> = {},
): Promise<Pick<RetentionDone, 'made' | 'pruned' | 'left' | 'stopped'> | undefined> {
  const done: Carried = { made: [], pruned: [], left: [], stopped: false };
  let found = false;
  for (const project of await world.archive.projects()) {
    const run = await readRun(world, project);
    if (run?.state === 'undoing') await finishUndo(world, project, run);
    if (run?.state === 'running') await carryOut(world, { project, run }, done, options);
    found ||= run?.state === 'undoing' || run?.state === 'running';
    if (done.stopped) break;
  }
  return found ? done : undefined;
}

async function projectOf(world: World, project: string | undefined): Promise<ProjectId | undefined> {
  return project === undefined ? undefined : (await findProjectFolders(world, project))[0];
}

type Carried = Pick<RetentionDone, 'made' | 'pruned' | 'left' | 'stopped'>;
type ProjectRun = { project: ProjectId; run: RetentionRun };

async function recorded(
  world: World,
  project: ProjectId,
  plan: RetentionPlan,
  most: number,
): Promise<RetentionRun | undefined> {
  const sessions = (await world.archive.open(project))?.manifest.sessions ?? {};
  const prune = plan.prune.flatMap(({ projectId, sessionId, versionId }) => {
    const version = sessions[sessionId]?.compressions.find((it) => it.versionId === versionId);
    return projectId === project && version ? [{ sessionId, version }] : [];
  });
  const create = plan.create
    .filter(({ projectId }) => projectId === project)
    .slice(0, Math.max(0, most))
    .map(({ sessionId, part, preset }) => ({ sessionId, part, preset }));
  if (create.length + prune.length === 0) return undefined;
  return { version: 1, runId: world.random.uuid(), at: plan.at, state: 'running', create, prune };
}

async function carryOut(
  world: World,
  { project, run }: ProjectRun,
  done: Carried,
  { signal, onStep }: Pick<RetentionRunOptions, 'signal' | 'onStep'>,
): Promise<void> {
  const over = new Set(
    (await readSteps(world, project)).map(({ sessionId, part }) => `${sessionId}/${part}`),
  );
  const total = run.create.length + run.prune.length;
  for (const [index, step] of run.create.entries()) {
    if (over.has(`${step.sessionId}/${step.part}`)) continue;
    if (signal?.aborted) {
      done.stopped = true;
      return;
    }
    onStep?.(index, total, step.sessionId);
    await make(world, { project, run, step }, done, signal);
    if (done.stopped) return;
  }
  for (let from = 0; from < run.prune.length; from += BATCH) {
    if (signal?.aborted) {
      done.stopped = true;
      return;
    }
    onStep?.(run.create.length + from, total, run.prune[from]!.sessionId);
    await pruneBatch(world, { project, run }, run.prune.slice(from, from + BATCH), done);
  }
  await writeRun(world, project, { ...run, state: 'done' });
}

async function make(
  world: World,
  { project, run, step }: ProjectRun & { step: RetentionRun['create'][number] },
  done: Carried,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { sessionId, part, preset } = step;
  const ref = { project, session: sessionId };
  const work = async () => {
    const record = (await world.archive.open(project))?.manifest.sessions[sessionId];
    // Killed between making it and noting it: it exists.
    const existing = record?.compressions.find((it) => isMadeBy(run, it, part, preset));
    // Never by a model: automatic retention costs nothing and can be repeated.
    const ask = { preset, part, model: 'extractive' };
    const [outcome] = existing
      ? [{ version: existing, existed: false }]
      : await compressSession(world, ref, ask, { signal });
    // A version that existed before must not be deleted by this run; one that another process made for the same run may.
    const made = outcome?.version;
    const version = made && (!outcome.existed || isMadeBy(run, made, part, preset)) ? made : undefined;
    await addStep(world, project, { sessionId, part, made: version?.versionId ?? null });
    if (!version) return;
    const { versionId, outputTokens } = version;
    done.made.push({ projectId: project, sessionId, versionId, outputTokens });
  };
  const fault = await orFault(work(), signal);
  if (!(fault instanceof Fault)) return;
  if (signal?.aborted) {
    done.stopped = true;
    return;
  }
  // Purged meanwhile, still going on, unreadable: the trouble of that session alone.
  if (FATAL.has(fault.code)) throw fault;
  await addStep(world, project, { sessionId, part, made: null });
  done.left.push({ projectId: project, sessionId, why: fault.message });
}

/** Looked at again right before: what is used, pinned or alone now stays. */
async function pruneBatch(
  world: World,
  { project, run }: ProjectRun,
  batch: RetentionRun['prune'],
  done: Carried,
): Promise<void> {
  const manifests = await openProjects(world);
  const manifest = manifests.find(({ projectId }) => projectId === project);
  if (!manifest) return;
  const { config } = await world.settings.resolve(manifest.settings);
  const sessions = retentionSessions(manifest, usedVersions(manifests), config.keepitDecay.pinnedWeight);
  const gone: RetentionRun['prune'] = [];
  for (const item of batch) {
    const session = sessions.get(item.sessionId);
    const version = session?.versions.find((it) => isSameVersion(it, item.version));
    if (!session || !version) continue;
    const others = session.versions.filter((it) => it !== version && it.part === version.part);
    const free = isFree(session, version, others) && (await keepFiles(world, project, item));
    if (!free) {
      const why = `${version.versionId} is needed now`;
      done.left.push({ projectId: project, sessionId: item.sessionId, why });
      continue;
    }
    session.versions = session.versions.filter((it) => it !== version);
    gone.push(item);
  }
  await pruneAll(world, { project, run }, manifest, gone);
  done.pruned.push(
    ...gone.map(({ sessionId, version: { versionId, outputTokens } }) => ({
      projectId: project,
      sessionId,
      versionId,
      outputTokens,
    })),
  );
}

/** The records first, so that a kill leaves files without a record and never the reverse. */
async function pruneAll(
  world: World,
  { project, run }: ProjectRun,
  manifest: Manifest,
  gone: RetentionRun['prune'],
): Promise<void> {
  if (gone.length > 0)
    await world.archive.change(
      project,
      gone.flatMap(({ sessionId, version: { versionId, jsonlHash } }) => [
        { at: ['sessions', sessionId, 'compressions'], without: { versionId } },
        {
          at: ['sessions', sessionId, 'pruned'],
          append: { versionId, jsonlHash },
          unique: 'versionId',
          unless: { purged: sessionId, beyond: purgesOf(manifest, sessionId) },
        },
      ]),
      gone.map(({ sessionId, version }) => ({
        at: world.clock.now(),
        action: 'decay' as const,
        sessionId,
        note: `${version.versionId} deleted: ${version.outputTokens} tokens; \`decay undo\` restores it`,
        details: { runId: run.runId },
      })),
    );
  const after = (await world.archive.open(project))?.manifest;
  for (const { sessionId, version } of gone) {
    const ref = { project, session: sessionId };
    await removeVersionFiles(world, ref, version.file);
    if (after) await writeVersionsFile(world, ref, after);
  }
}
