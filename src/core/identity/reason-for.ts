import type { FolderProject, ProjectGroup } from './group-projects.ts';
import { checkoutAround } from './repository-name.ts';

/** Whether a group's key names a repository, and not only a folder; a random id says nothing about one. */
export function namesRepository(key: string): boolean {
  return !/^(?:folder|split|local):/.test(key);
}

/** Why a folder belongs to its project, in a few words for a person. */
export function reasonFor(group: ProjectGroup, projectId: string): string {
  const folder = group.folders.find((it) => it.projectId === projectId);
  return folder ? reasonOf(folder, group) : '';
}

const FROM = {
  config: 'set by git config keepsake.identity',
  origin: 'same remote',
  session: 'same remote, according to its sessions',
  root: 'same first commit',
} as const;

function reasonOf(folder: FolderProject, { key, main }: ProjectGroup): string {
  const { repository: note = {} } = folder;
  const checkout = note.worktreeOf ?? checkoutAround(folder.originalPath);
  const worktree = checkout === undefined ? '' : `, a worktree of ${checkout}`;
  if (note.split) return 'split off by you';
  if (note.joined) return 'joined by you';
  if (note.identity !== undefined && note.from !== 'random') {
    const alias = note.identity === key ? '' : `, and ${note.identity} was joined by you`;
    return `${FROM[note.from ?? 'origin']}${worktree}${alias}`;
  }
  if (checkout !== undefined) return worktree.slice(2);
  return folder.projectId === main.projectId ? 'a folder without a repository' : '';
}
