import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { fields, record, where } from '../../core/model/shape.ts';
import { clockDoubt, isMass } from '../../core/retention/clock-doubt.ts';
import { type Creation, planRetention } from '../../core/retention/plan.ts';
import { type AgeRules, type Pruning, readRetention } from '../../core/retention/rules.ts';
import { versionFolder } from '../compress/version-files.ts';
import { foldersAsked } from '../find/project.ts';
import { openProjects } from '../find/projects.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { latestWritten, retentionSessions, usedVersions } from './sessions.ts';

export type PlannedCreation = Creation & { projectId: ProjectId };
export type PlannedPruning = Pruning & { projectId: ProjectId };

/** What `decay run` would do. */
export type RetentionPlan = {
  at: string;
  create: PlannedCreation[];
  prune: PlannedPruning[];
  /** Why nothing is deleted although the rules would; otherwise null. */
  heldBack: string | null;
  /** Of all versions there are; what is to be made is estimated. */
  versions: { before: number; after: number };
  tokens: { before: number; after: number };
  /** On the disk, of the versions that the plan touches; what is to be made is estimated. */
  bytes: { before: number; after: number };
};

export type PlanOptions = {
  project?: string;
  /** Nobody reviews the plan before it runs: rules of age apply only where they are scheduled. */
  unattended?: boolean;
};

/** Both files of a version, for each token. */
const BYTES_A_TOKEN = 9;
/** Files whose sizes are asked for together. */
const AT_ONCE = 256;
const NO_RULES: Partial<AgeRules> = {
  createAfterDays: 0,
  aggressiveAfterDays: 0,
  pruneIntermediateAfterDays: 0,
};

/** What the rules say now. Changes nothing. */
export async function planRetentionRun(world: World, options: PlanOptions = {}): Promise<RetentionPlan> {
  const all = await openProjects(world);
  const folders = await foldersAsked(world, options.project);
  const wanted = options.project === undefined ? undefined : folders[0];
  const manifests = all.filter(({ projectId }) => folders.includes(projectId));
  const at = world.clock.now();
  const used = usedVersions(all);
  const create: PlannedCreation[] = [];
  const prune: PlannedPruning[] = [];
  for (const manifest of manifests) {
    const { config } = await world.settings.resolve(manifest.settings);
    const sessions = retentionSessions(manifest, used, config.keepitDecay.pinnedWeight);
    const off = options.unattended && config.autoDecay.schedule === 'off';
    const rules = off ? { ...config.autoDecay, ...NO_RULES } : config.autoDecay;
    const retention = readRetention(config.storage.compressionRetention);
    const plan = planRetention([...sessions.values()], rules, retention, at);
    const { projectId } = manifest;
    for (const it of plan.create) create.push({ ...it, projectId });
    for (const it of plan.prune) prune.push({ ...it, projectId });
  }
  const versions = manifests.flatMap((manifest) => versionsOf(manifest));
  const doubt =
    clockDoubt(at, { latest: latestWritten(all), last: await lastCheck(world, wanted) }) ??
    (options.unattended && isMass(prune.length, versions.length)
      ? `${prune.length} of ${versions.length} versions would be deleted. \`keepsake decay run\` lists them and asks before it deletes.`
      : undefined);
  const heldBack = prune.length > 0 ? (doubt ?? null) : null;
  return summed(world, manifests, { at, create, prune: heldBack === null ? prune : [], heldBack });
}

function versionsOf({ sessions }: Manifest) {
  return Object.values(sessions).flatMap(({ compressions }) => compressions);
}

async function summed(
  world: World,
  manifests: Manifest[],
  plan: Pick<RetentionPlan, 'at' | 'create' | 'prune' | 'heldBack'>,
): Promise<RetentionPlan> {
  const versions = manifests.flatMap(versionsOf);
  const tokens = total(versions.map(({ outputTokens }) => outputTokens));
  const added = total(plan.create.map(({ outputTokens }) => outputTokens));
  const gone = total(plan.prune.map(({ outputTokens }) => outputTokens));
  const { before, freed } = await bytesOf(world, manifests, plan);
  return {
    ...plan,
    versions: {
      before: versions.length,
      after: versions.length + plan.create.length - plan.prune.length,
    },
    tokens: { before: tokens, after: tokens + added - gone },
    bytes: { before, after: before - freed + added * BYTES_A_TOKEN },
  };
}

async function bytesOf(
  world: World,
  manifests: Manifest[],
  plan: Pick<RetentionPlan, 'create' | 'prune'>,
): Promise<{ before: number; freed: number }> {
  const touched = new Set([...plan.create, ...plan.prune].map((it) => `${it.projectId}/${it.sessionId}`));
  const gone = new Set(plan.prune.map((it) => `${it.projectId}/${it.sessionId}/${it.versionId}`));
  const files: { name: string; project: ProjectId; goes: boolean }[] = [];
  for (const { projectId, sessions } of manifests) {
    for (const { sessionId, compressions } of Object.values(sessions)) {
      if (compressions.length === 0 || !touched.has(`${projectId}/${sessionId}`)) continue;
      for (const { versionId, file } of compressions) {
        const base = `${versionFolder(sessionId)}/${file}`;
        const goes = gone.has(`${projectId}/${sessionId}/${versionId}`);
        for (const ending of ['md', 'jsonl'])
          files.push({ name: `${base}.${ending}`, project: projectId, goes });
      }
    }
  }
  let [before, freed] = [0, 0];
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const batch = files.slice(from, from + AT_ONCE);
    const sizes = await Promise.all(
      batch.map(({ project, name }) => world.archive.files.size(project, name)),
    );
    for (const [index, size] of sizes.entries()) {
      before += size;
      if (batch[index]!.goes) freed += size;
    }
  }
  return { before, freed };
}

function total(figures: number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0);
}

/** Below `cache/`: without it the archive's own times are gone by. */
const CHECK_FILE = 'decay.json';

type LastChecks = { last?: string; projects: Record<string, string> };

const time = where((it): it is string => typeof it === 'string' && !Number.isNaN(Date.parse(it)), 'a time');
const CHECKS: StoredKind<LastChecks> = {
  schema: fields({ projects: record(time) }, { last: time }),
  damaged: 'Keepsake acts as if no check was made before.',
};

/** When all projects, or this one, were last looked at. */
export async function lastCheck(world: World, project?: string): Promise<string | undefined> {
  const { last, projects } = await readChecks(world);
  const own = project === undefined ? undefined : projects[project];
  return [last, own]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
}

/** The plan of one project says nothing about the others. */
export async function noteCheck(world: World, at: string, project?: string): Promise<void> {
  const checks: LastChecks =
    project === undefined ? { last: at, projects: {} } : { ...(await readChecks(world)) };
  if (project !== undefined) checks.projects[project] = at;
  await world.archive.files.write(undefined, CHECK_FILE, `${JSON.stringify(checks)}\n`);
}

async function readChecks(world: World): Promise<LastChecks> {
  const { value } = await readStored(world, undefined, CHECK_FILE, CHECKS);
  const projects = Object.assign(Object.create(null), value?.projects);
  return { projects, ...(value?.last === undefined ? {} : { last: value.last }) };
}
