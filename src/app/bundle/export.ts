import { createHash } from 'node:crypto';
import { BUNDLE_FORMAT, type BundleHeader, type BundleLine } from '../../core/bundle/bundle-line.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { projectFor } from '../layers/facts-edit.ts';
import { allRepositories, projectsOf, type Repository } from '../repository/repositories.ts';
import type { RunOptions } from '../sync-report.ts';
import type { World } from '../world.ts';
import { projectLines, type Tally } from './export-project.ts';
import { bundlesOf } from './reader.ts';

export type ExportRequest = RunOptions & {
  /** Where the file shall be: a whole path. */
  out: string;
  /** Ids of sessions: only these. */
  sessions?: string[];
  project?: string;
  all?: boolean;
  template?: boolean;
  secrets?: boolean;
  force?: boolean;
};
export type Exported = {
  file: string;
  bytes: number;
  /** What it holds, unpacked. */
  unpacked: number;
  projects: { projectId: string; name: string; sessions: number }[];
  /** How many projects those folders are. */
  repositories: number;
  /** Sessions in which secrets were masked. */
  masked: number;
  /** Sessions whose originals are gone from the archive. */
  missing: string[];
};

type Wanted = Omit<ExportRequest, 'out' | 'force'>;
type Chosen = { manifest: Manifest; only?: Set<string> };
type BundleTally = Tally & Pick<Exported, 'projects'>;

function newTally(): BundleTally {
  return { sessions: 0, masked: new Map(), missing: [], projects: [] };
}

/** Puts a project, some sessions or everything into one file. */
export async function exportBundle(world: World, request: ExportRequest): Promise<Exported> {
  const chosen = await choose(world, request);
  const tally = newTally();
  const lines = bundleLines(world, request, chosen, tally);
  const written = await bundlesOf(world).write(request.out, lines, request.force ? { force: true } : {});
  for (const { manifest, only } of chosen) await recordExport(world, manifest, request, only);
  const { projects, masked, missing } = tally;
  const repositories = (await repositoriesOf(world, chosen)).length;
  return { file: request.out, ...written, projects, repositories, masked: masked.size, missing };
}

/** The same as a stream: nothing of it stays here. The requested sessions are known to exist. */
export async function exportBytes(
  world: World,
  request: Wanted,
): Promise<{ name: string; bytes: AsyncIterable<Uint8Array> }> {
  const chosen = await choose(world, request);
  const [only, ...others] = await repositoriesOf(world, chosen);
  async function* lines() {
    yield* bundleLines(world, request, chosen, newTally());
    for (const { manifest, only } of chosen) await recordExport(world, manifest, request, only);
  }
  const name = others.length === 0 && only ? only.name : 'keepsake';
  return { name, bytes: bundlesOf(world).pack(lines()) };
}

async function* bundleLines(
  world: World,
  request: Wanted,
  chosen: Chosen[],
  tally: BundleTally,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let lines = 0;
  const put = (line: BundleLine | BundleHeader) => {
    const text = JSON.stringify(line);
    hash.update(text).update('\n');
    lines++;
    return text;
  };
  const { secrets = false, template = false, signal, onProgress } = request;
  const { keepsake: version } = await world.machine.versions();
  const madeAt = world.clock.now();
  const by = (world.places.home.split(/[\\/]/).at(-1) ?? '').replace(/\p{Cc}/gu, '').slice(0, 60);
  const maker = by === '' ? {} : { by };
  yield put({
    keepsake: 'bundle',
    format: BUNDLE_FORMAT,
    version,
    madeAt,
    masked: !secrets,
    template,
    ...maker,
  });
  const all = chosen.flatMap(({ manifest, only }) =>
    Object.values(manifest.sessions).filter(({ sessionId }) => !only || only.has(sessionId)),
  );
  const totalBytes = all.reduce((sum, record) => sum + record.originalBytes, 0);
  let [done, bytes] = [0, 0];
  for (const { manifest, only } of chosen) {
    const before = tally.sessions;
    const onSession = ({ sessionId, originalBytes }: { sessionId: string; originalBytes: number }) => {
      if (signal?.aborted) throw new Fault('cancelled', 'Stopped; no file was written.');
      onProgress?.({ phase: 'read', done, total: all.length, bytes, totalBytes, current: sessionId });
      done++;
      bytes += originalBytes;
    };
    const options = { secrets, template, only, onSession };
    for await (const line of projectLines(world, manifest, options, tally)) yield put(line);
    const { projectId, displayName } = manifest;
    tally.projects.push({ projectId, name: displayName, sessions: tally.sessions - before });
  }
  yield JSON.stringify({ t: 'end', lines, sha256: hash.digest('hex') } satisfies BundleLine);
}

async function choose(world: World, request: Wanted): Promise<Chosen[]> {
  const { sessions = [], project, all, template } = request;
  if (template && sessions.length > 0)
    throw new Fault('usage', 'A template contains no sessions.', {
      hint: 'Remove the session ids, or --template.',
    });
  if (sessions.length > 0) {
    const chosen = new Map<ProjectId, Set<string>>();
    for (const id of sessions) {
      const { projectId, sessionId } = await findSession(world, id, project);
      chosen.set(projectId, (chosen.get(projectId) ?? new Set()).add(sessionId));
    }
    return Promise.all([...chosen].map(async ([id, only]) => ({ manifest: await opened(world, id), only })));
  }
  if (!all) {
    // A folder whose sessions were all purged is still exported as a project line.
    const folders = await projectsOf(world, await projectFor(world, project));
    return Promise.all(folders.map(async (id) => ({ manifest: await opened(world, id) })));
  }
  const manifests = (await openProjects(world)).filter((manifest) => !manifest.sample);
  if (manifests.length === 0)
    throw new Fault('not-found', 'There is nothing to export yet.', { hint: 'Run `keepsake sync` first.' });
  return manifests.map((manifest) => ({ manifest }));
}

async function repositoriesOf(world: World, chosen: Chosen[]): Promise<Repository[]> {
  const folders = new Set(chosen.map(({ manifest }) => manifest.projectId));
  return (await allRepositories(world)).filter((it) =>
    it.folders.some(({ projectId }) => folders.has(projectId)),
  );
}

async function opened(world: World, project: ProjectId): Promise<Manifest> {
  const manifest = (await world.archive.open(project))?.manifest;
  if (manifest) return manifest;
  throw new Fault('not-found', `Project ${project} no longer exists.`);
}

/** A purge lists the files that may still contain what it deleted. */
async function recordExport(
  world: World,
  manifest: Manifest,
  { out, template, secrets }: Wanted & { out?: string },
  only: ReadonlySet<string> | undefined,
): Promise<void> {
  const what = template ? 'a template' : only ? `${only.size} sessions` : 'all of it';
  const details = {
    ...(out === undefined ? {} : { file: out }),
    ...(secrets ? { secrets: true } : {}),
    ...(only ? { sessions: [...only] } : {}),
  };
  await world.archive.change(
    manifest.projectId,
    [],
    [
      {
        at: world.clock.now(),
        action: 'export',
        note: out === undefined ? `Exported ${what}` : `Exported ${what} to ${out}`,
        details,
      },
    ],
  );
}
