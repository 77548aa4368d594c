import { maskJsonLine } from '../../core/bundle/mask-secrets.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import { projectLine } from '../bundle/export-project.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { OpenRemote } from './remote-record.ts';
import { localSegments, ownSegmentFile, readLocal, replicaFile } from './repo-state.ts';

/** A line that says which folder is meant, for records that belong to all of them. */
export async function anyProject(remote: OpenRemote, repo: string): Promise<string | undefined> {
  for (const whose of ['own', 'replica'] as const) {
    const fileOf = whose === 'own' ? ownSegmentFile : replicaFile;
    for (const name of await localSegments(remote, repo, whose)) {
      const lines = await readLocal(remote, fileOf(remote, name), name);
      const project = lines?.find((line) => line.t === 'project');
      if (project?.t !== 'project') continue;
      const { notes: _, blocks: __, ...line } = project;
      return JSON.stringify({ ...line, settings: {}, fields: [] });
    }
  }
  return projectHere(remote, repo);
}

/** Where a purge took all segments out. */
async function projectHere({ world, keys }: OpenRemote, repo: string): Promise<string | undefined> {
  const repository = (await allRepositories(world)).find(({ key }) => repoTag(keys, key) === repo);
  const manifest = repository && (await world.archive.open(repository.main.projectId))?.manifest;
  if (!manifest) return undefined;
  const line = projectLine(manifest, { secrets: false, template: false, only: new Set() });
  return maskJsonLine(JSON.stringify({ ...line, settings: {}, fields: [] }));
}
