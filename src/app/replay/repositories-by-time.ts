import { groupProjects } from '../../core/identity/group-projects.ts';
import { normalizeAddress } from '../../core/identity/normalize-address.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { RepositoryNote } from '../../core/model/repository.ts';
import { originalName } from '../find/session-ref.ts';
import { identifyReadable } from '../intake/identify-file.ts';
import type { World } from '../world.ts';
import type { Timeline } from './timeline.ts';

/** What a session says of its folder's repository, and its place in the timeline. */
type Statement = { place: number; identity: string };

/**
 * Which folders were one project at a time. What a checkout says counts always; what only the file of a session says, once that
 * session is over.
 */
export class RepositoriesByTime {
  readonly #manifests: Map<ProjectId, Manifest>;
  /** By folder, the first place in the timeline that makes it known. */
  readonly #first = new Map<ProjectId, number>();
  readonly #stated: ReadonlyMap<ProjectId, readonly Statement[]>;

  static async read(
    world: World,
    timeline: Timeline,
    manifests: readonly Manifest[],
  ): Promise<RepositoriesByTime> {
    const stated = new Map<ProjectId, Statement[]>();
    const unclear = new Set(manifests.filter(isStatedBySession).map(({ projectId }) => projectId));
    for (const [place, { projectId, record }] of timeline.ended.entries()) {
      if (!unclear.has(projectId) || record.metadata.agent === 'claude-code') continue;
      const path = world.archive.originals.path(projectId, originalName(record.sessionId));
      const identity = normalizeAddress((await identifyReadable(world, path))?.repository ?? '');
      if (identity) stated.set(projectId, [...(stated.get(projectId) ?? []), { place, identity }]);
    }
    return new RepositoriesByTime(timeline, manifests, stated);
  }

  private constructor(
    timeline: Timeline,
    manifests: readonly Manifest[],
    stated: ReadonlyMap<ProjectId, readonly Statement[]>,
  ) {
    this.#manifests = new Map(manifests.map((it) => [it.projectId, it]));
    this.#stated = stated;
    for (const [place, { projectId }] of timeline.ended.entries())
      if (!this.#first.has(projectId)) this.#first.set(projectId, place);
  }

  /** What was noted of a folder's repository when so many sessions were over. */
  noteOf(project: ProjectId, known: number): RepositoryNote | undefined {
    const manifest = this.#manifests.get(project);
    if (!manifest?.repository || !isStatedBySession(manifest)) return manifest?.repository;
    const { identity: _, from: __, formerly, earlier = [], ...rest } = manifest.repository;
    const [first] = this.#stated.get(project) ?? [];
    if (first && first.place < known) return { ...rest, identity: first.identity, from: 'session' };
    return formerly === undefined ? rest : { ...rest, identity: formerly, from: 'random', earlier };
  }

  /** The folders of the repository that a folder belonged to then, the main one first; the folder itself is one of them. */
  foldersOf(project: ProjectId, known: number): ProjectId[] {
    const folders = [...this.#manifests.values()]
      .filter(({ projectId }) => projectId === project || (this.#first.get(projectId) ?? known) < known)
      .map(({ projectId, originalPath, displayName }) => {
        return { projectId, originalPath, displayName, repository: this.noteOf(projectId, known) };
      });
    const own = groupProjects(folders).find((it) =>
      it.folders.some(({ projectId }) => projectId === project),
    );
    return own?.folders.map(({ projectId }) => projectId) ?? [project];
  }
}

/** Neither a checkout nor the record of the project says it. */
function isStatedBySession({ repository, gitRemote }: Manifest): boolean {
  if (repository?.from !== 'session') return false;
  return gitRemote === undefined || normalizeAddress(gitRemote) !== repository.identity;
}
