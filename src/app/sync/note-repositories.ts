import type { ProjectId } from '../../core/model/ids.ts';
import { originalName } from '../find/session-ref.ts';
import { identifyReadable } from '../intake/identify-file.ts';
import { ifReadable } from '../or-fault.ts';
import { folderProjects } from '../repository/folder-projects.ts';
import { noteRepository } from '../repository/note-repository.ts';
import { allRepositories } from '../repository/repositories.ts';
import { shareSettings } from '../repository/share-settings.ts';
import { noteRecordSettings } from '../settings/note-record-settings.ts';
import type { World } from '../world.ts';

/** Sessions whose first lines are asked which repository they are of. */
const MOST_ASKED = 3;

/** Asks every folder that is still there for its repository, and the sessions of those that never said. */
export async function noteRepositories(world: World): Promise<void> {
  for (const { projectId, repository } of await folderProjects(world)) {
    await ifReadable(noteOne(world, projectId, repository?.identity !== undefined));
  }
  // Archives of older versions have settings of one folder only.
  for (const { main, folders } of await allRepositories(world))
    if (await ifReadable(shareSettings(world, main.projectId))) {
      for (const { projectId } of folders) await world.archive.fold(projectId);
      await noteRecordSettings(world);
    }
}

async function noteOne(world: World, project: ProjectId, isKnown: boolean): Promise<void> {
  const more = isKnown ? {} : await statedBySessions(world, project);
  if (await noteRepository(world, project, more)) await world.archive.fold(project);
}

/** What was noted before identities were, or is in the files of its sessions. */
async function statedBySessions(
  world: World,
  project: ProjectId,
): Promise<{ stated?: string; since?: string }> {
  const manifest = (await world.archive.open(project))?.manifest;
  if (!manifest || manifest.sample) return {};
  const since = manifest.createdAt;
  if (manifest.gitRemote !== undefined) return { stated: manifest.gitRemote, since };
  const sessions = Object.values(manifest.sessions)
    .filter(({ metadata }) => metadata.agent !== 'claude-code')
    .slice(-MOST_ASKED);
  for (const { sessionId } of sessions) {
    const path = world.archive.originals.path(project, originalName(sessionId));
    const stated = (await identifyReadable(world, path))?.repository;
    if (stated !== undefined) return { stated, since };
  }
  return { since };
}
