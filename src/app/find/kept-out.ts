import type { ProjectId } from '../../core/model/ids.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import { type KeptOut, Recording } from './recording.ts';

export type KeptOutProject = {
  projectId: ProjectId;
  displayName: string;
  originalPath: string;
  by: KeptOut['by'];
  /** The marker file, or the project with the setting. */
  at: string;
};

/** All that is known to be kept out of the archive. Folders with a marker that were never recorded are not known. */
export type KeptOutList = {
  /** The setting `record` where a project has none of its own. */
  record: boolean;
  projects: KeptOutProject[];
  /** Newest first. */
  sessions: { sessionId: string; since: string }[];
  /** Why the current folder is kept out, where it is none of the projects. */
  here?: KeptOut & { path: string };
};

export async function listKeptOut(world: World): Promise<KeptOutList> {
  const recording = new Recording(world);
  const projects: KeptOutProject[] = [];
  for (const project of await world.archive.projects()) {
    const head = await ifReadable(world.archive.head(project));
    if (!head) continue;
    const out = await recording.keptOut({ cwd: head.originalPath, project });
    const { projectId, displayName, originalPath } = head;
    if (out) projects.push({ projectId, displayName, originalPath, ...out });
  }
  const path = world.places.cwd;
  const isKnown = projects.some((it) => it.originalPath === path);
  const out = path === '' || isKnown ? undefined : await recording.keptOut({ cwd: path });
  const { sessions } = await world.archive.unrecorded.read();
  return {
    record: (await world.settings.resolve()).config.record,
    projects,
    ...(out?.by === 'marker' ? { here: { path, ...out } } : {}),
    sessions: Object.entries(sessions)
      .map(([sessionId, since]) => ({ sessionId, since }))
      .sort((a, b) => (a.since < b.since ? 1 : -1)),
  };
}
