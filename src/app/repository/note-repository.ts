import { checkoutAround } from '../../core/identity/repository-name.ts';
import type { Change } from '../../core/model/change.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { RepositoryNote } from '../../core/model/repository.ts';
import type { World } from '../world.ts';
import { readRepository } from './read-repository.ts';

type Asked = {
  path: string;
  /** The address that a session states. */
  stated?: string | undefined;
  noted?: RepositoryNote | undefined;
  /** Its sessions are still to be asked: no random id yet. */
  mayComeLater?: boolean | undefined;
};

/**
 * What a folder says of its repository now, where that is not what is noted; undefined if there is nothing new. One that
 * says nothing gets a random id.
 */
export async function newRepositoryNote(
  world: World,
  { path, stated, noted, mayComeLater }: Asked,
): Promise<RepositoryNote | undefined> {
  const found = await readRepository(world, path, stated);
  // A folder that lost its remote, or is gone, keeps its identity.
  const counts =
    found.from === 'config' ||
    found.from === 'origin' ||
    noted?.identity === undefined ||
    (noted.from === 'random' && found.identity !== undefined);
  const isAlone = found.worktreeOf === undefined && checkoutAround(path) === undefined;
  const isNameless = (noted?.identity ?? found.identity) === undefined && isAlone && !mayComeLater;
  const next: RepositoryNote = {
    ...(counts && found.identity !== undefined ? { identity: found.identity, from: found.from } : {}),
    ...(isNameless ? { identity: `local:${world.random.uuid()}`, from: 'random' as const } : {}),
    ...(counts && isWeak(noted) && (found.identity ?? noted?.identity) !== noted?.identity
      ? { formerly: noted?.identity, ...earlierOf(noted) }
      : {}),
    ...(found.inside === undefined ? {} : { inside: found.inside }),
    ...(found.worktreeOf === undefined ? {} : { worktreeOf: found.worktreeOf }),
  };
  const fields = Object.entries(next) as [keyof RepositoryNote, unknown][];
  return fields.some(([field, value]) => noted?.[field] !== value) ? next : undefined;
}

function earlierOf({ formerly, earlier = [] }: RepositoryNote = {}): Pick<RepositoryNote, 'earlier'> {
  return formerly === undefined ? {} : { earlier: [...earlier, formerly] };
}

/** Known only by its first commit or by an id of ours: the address that it gets later is the same repository. */
function isWeak(noted: RepositoryNote | undefined): boolean {
  return noted?.from === 'root' || noted?.from === 'random';
}

/** Notes it; false where nothing was new. */
export async function noteRepository(
  world: World,
  project: ProjectId,
  of: Pick<Asked, 'stated' | 'mayComeLater'> & { since?: string } = {},
): Promise<boolean> {
  const head = await world.archive.head(project);
  if (!head) return false;
  const { originalPath: path, repository: noted } = head;
  const note = await newRepositoryNote(world, { ...of, path, noted });
  if (!note) return false;
  const at = world.clock.now();
  const merge = { ...note, since: noted?.since ?? of.since ?? at };
  const changes: Change[] = [{ at: ['repository'], merge }];
  const events: HistoryEvent[] =
    note.identity === undefined || note.from === 'random' || note.identity === noted?.identity
      ? []
      : [{ at, action: 'join', note: `Its repository is ${note.identity}.`, details: { found: true } }];
  await world.archive.change(project, changes, events);
  return true;
}
