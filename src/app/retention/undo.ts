import { purgesOf } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { prune } from '../compress/prune.ts';
import { writeVersionsFile } from '../compress/version-files.ts';
import { foldersAsked } from '../find/project.ts';
import { openProjects } from '../find/projects.ts';
import type { World } from '../world.ts';
import { bringBackFiles, isMadeBy, type RetentionRun, readRun, readSteps, writeRun } from './record.ts';
import { usedVersions } from './sessions.ts';

export type RetentionUndone = {
  /** Versions that are back, and those of the run that are gone again. */
  restored: { projectId: ProjectId; sessionId: SessionId; versionId: string }[];
  removed: { projectId: ProjectId; sessionId: SessionId; versionId: string }[];
  /** What could not be undone, with the reason. */
  left: { projectId: ProjectId; sessionId: SessionId; versionId: string; why: string }[];
};

/** Restores what the last run deleted, and deletes what it made. */
export async function undoRetention(
  world: World,
  options: { project?: string } = {},
): Promise<RetentionUndone> {
  const projects = await foldersAsked(world, options.project);
  const undone: RetentionUndone = { restored: [], removed: [], left: [] };
  let found = false;
  for (const project of projects) {
    const run = await readRun(world, project);
    if (!run || run.state === 'undone') continue;
    found = true;
    const undoing: RetentionRun = { ...run, state: 'undoing' };
    await writeRun(world, project, undoing);
    const { restored, removed, left } = await finishUndo(world, project, undoing);
    undone.restored.push(...restored);
    undone.removed.push(...removed);
    undone.left.push(...left);
  }
  if (found) return undone;
  throw new Fault('not-found', 'No retention run to undo.', {
    hint: '`keepsake decay run --dry-run` shows what one would do.',
  });
}

/** Can be cut off anywhere and done again. */
export async function finishUndo(
  world: World,
  project: ProjectId,
  run: RetentionRun,
): Promise<RetentionUndone> {
  const undone: RetentionUndone = { restored: [], removed: [], left: [] };
  await restore(world, project, run, undone);
  await unmake(world, project, run, undone);
  await writeRun(world, project, { ...run, state: 'undone' });
  return undone;
}

async function restore(
  world: World,
  project: ProjectId,
  run: RetentionRun,
  undone: RetentionUndone,
): Promise<void> {
  const before = (await world.archive.open(project))?.manifest;
  const back: RetentionRun['prune'] = [];
  for (const item of run.prune) {
    const { sessionId, version } = item;
    const { versionId } = version;
    const record = before?.sessions[sessionId];
    if (record?.compressions.some((it) => it.versionId === versionId)) continue;
    const place = { projectId: project, sessionId, versionId };
    if (!record) undone.left.push({ ...place, why: 'its session was purged' });
    else if (await bringBackFiles(world, project, item)) back.push(item);
    else undone.left.push({ ...place, why: 'its files were not saved' });
  }
  if (back.length === 0 || !before) return;
  const at = world.clock.now();
  await world.archive.change(
    project,
    back.flatMap(({ sessionId, version }) => {
      const unless = { purged: sessionId, beyond: purgesOf(before, sessionId) };
      return [
        { at: ['sessions', sessionId, 'compressions'], append: version, unique: 'versionId', unless },
        { at: ['sessions', sessionId, 'pruned'], without: { versionId: version.versionId }, unless },
      ];
    }),
    back.map(({ sessionId, version }) => ({
      at,
      action: 'decay' as const,
      sessionId,
      note: `${version.versionId} restored`,
      details: { runId: run.runId },
    })),
  );
  const after = (await world.archive.open(project))?.manifest;
  for (const { sessionId, version } of back) {
    if (after) await writeVersionsFile(world, { project, session: sessionId }, after);
    undone.restored.push({ projectId: project, sessionId, versionId: version.versionId });
  }
}

/** What the run made goes, unless a composition took it up meanwhile. */
async function unmake(
  world: World,
  project: ProjectId,
  run: RetentionRun,
  undone: RetentionUndone,
): Promise<void> {
  if (run.create.length === 0) return;
  const noted = await readSteps(world, project);
  const manifests = await openProjects(world);
  const used = usedVersions(manifests);
  const sessions = manifests.find(({ projectId }) => projectId === project)?.sessions ?? {};
  const steps = run.create.map(({ sessionId, part, preset }) => {
    const step = noted.find((it) => it.sessionId === sessionId && it.part === part);
    // Killed between making it and noting it: it is the run's anyway.
    const versions = sessions[sessionId]?.compressions ?? [];
    const made = step ? step.made : versions.find((it) => isMadeBy(run, it, part, preset))?.versionId;
    return { sessionId, made };
  });
  for (const { sessionId, made } of steps) {
    const version = sessions[sessionId]?.compressions.find((it) => it.versionId === made);
    if (!version) continue;
    const place = { projectId: project, sessionId, versionId: version.versionId };
    if (used.get(`${project}/${sessionId}`)?.has(version.versionId)) {
      undone.left.push({ ...place, why: 'a composition uses it now' });
      continue;
    }
    await prune(world, { project, session: sessionId }, [{ ...version, usedIn: [], lastUsed: null }]);
    undone.removed.push(place);
  }
}
