import { normalizeAddress } from '../../core/identity/normalize-address.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { ShareLevel } from '../../core/remote/levels.ts';
import { projectHere } from '../find/locate-project.ts';
import { addRemote } from '../remote/add-remote.ts';
import { approveRemote, shareProjects } from '../remote/share.ts';
import { syncRemote } from '../remote/sync-remote.ts';
import { register } from '../sync/register.ts';
import type { World } from '../world.ts';

export type PushRequest = {
  address: string;
  /** Files of sessions, or folders of such; without one the sessions of this folder. */
  targets: readonly string[];
  /** The address of the repository, where the folder of the sessions does not say it. */
  repository?: string;
  level?: Exclude<ShareLevel, 'facts'>;
};
export type PushedOnce = { member: string; sessions: string[]; repositories: string[]; bytes: number };

/** Sends sessions to a hub from a machine that keeps no memory: of a CI job, or of an agent in a container. */
export async function pushOnce(outside: World, request: PushRequest): Promise<PushedOnce> {
  const { address, targets, level = 'talk' } = request;
  const world = request.repository === undefined ? outside : inRepository(outside, request.repository);
  const found: { projectId: ProjectId; sessionId: string }[] = [];
  for (const target of targets.length > 0 ? targets : [{ all: true as const }])
    found.push(...(await register(world, target)).sessions);
  const here = targets.length > 0 ? undefined : await projectHere(world);
  const sessions = found.filter(({ projectId }) => targets.length > 0 || projectId === here);
  if (sessions.length === 0)
    throw new Fault('not-found', 'No session found to push.', {
      hint: 'Give the path of a session file, or run the command in the folder where the agent worked.',
    });
  const { remote } = await addRemote(world, { address, pull: 'here', light: true });
  const repositories = new Set<string>();
  for (const project of new Set(sessions.map(({ projectId }) => projectId))) {
    const { shares } = await shareProjects(world, { project, remote: remote.name, level });
    for (const { identity, name } of shares) {
      if (identity.startsWith('local:')) throw nameless(name);
      repositories.add(identity);
    }
  }
  await approveRemote(world, remote.name);
  const { pushed } = await syncRemote(world, remote.name, { direction: 'push' });
  return {
    member: remote.member ?? '',
    sessions: sessions.map(({ sessionId }) => sessionId),
    repositories: [...repositories],
    bytes: pushed.bytes,
  };
}

/** As if every folder were a checkout of it. */
function inRepository(world: World, asked: string): World {
  const remote = [asked, `https://${asked}`].find((address) => normalizeAddress(address) !== undefined);
  if (remote === undefined)
    throw new Fault('usage', `${JSON.stringify(asked)} is not a repository URL.`, {
      hint: 'Give one such as github.com/acme/shop.',
    });
  const checkout: World['git']['checkout'] = async (folder) => ({
    ...((await world.git.checkout(folder)) ?? { top: folder, scopes: [] }),
    remote,
  });
  return { ...world, git: { ...world.git, checkout, remote: async () => remote } };
}

function nameless(project: string): Fault {
  return new Fault('usage', `Keepsake cannot tell which repository the folder of ${project} belongs to.`, {
    hint: 'Give it with --repository github.com/acme/shop',
  });
}
