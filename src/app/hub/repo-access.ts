import { ANY_REPO, type HubRight, type HubRole, highestRole, mayDo } from '../../core/hub/hub-role.ts';
import { Fault } from '../../core/model/fault.ts';
import type { HubAccess, HubGrant } from '../../ports/hub-database.ts';
import type { Hub } from './hub.ts';
import type { HubCaller } from './sign-in.ts';

/** The role that counts for a member in a repository. */
export async function roleIn(hub: Hub, member: string, repo: string): Promise<HubRole | undefined> {
  return rolesIn(await hub.database.roles(member), repo).get(member);
}

/** The same for all members that grants name. */
export function rolesIn(grants: readonly HubGrant[], repo: string): Map<string, HubRole | undefined> {
  const counting = grants.filter((grant) => grant.repo === repo || grant.repo === ANY_REPO);
  const byMember = Map.groupBy(counting, ({ member }) => member);
  return new Map(
    [...byMember].map(([member, own]) => [member, highestRole(own.map(({ role }) => role as HubRole))]),
  );
}

/** The first fence: what the caller may do, before the database is asked. It says the same of what is not there. */
export async function accessTo(
  hub: Hub,
  caller: HubCaller,
  { repo, right }: { repo: string; right: HubRight },
): Promise<HubAccess> {
  const grants = await hub.database.roles(caller.member);
  const role = rolesIn(grants, repo).get(caller.member);
  if (!mayDo(role, right)) throw await refusal(hub, caller, { repo, right });
  if (right === 'manage-members' && !isConfirmed(grants, repo)) throw await unconfirmed(hub, caller, repo);
  return accessOf(hub, caller, repo);
}

/** Anyone can be the first to send a repository, also one that is not theirs. */
function isConfirmed(grants: readonly HubGrant[], repo: string): boolean {
  return grants.some(
    (it) => it.role === 'admin' && !it.isUnconfirmed && (it.repo === repo || it.repo === ANY_REPO),
  );
}

async function unconfirmed(hub: Hub, caller: HubCaller, repo: string): Promise<Fault> {
  await note(hub, caller, { repo, action: 'refused', detail: 'manage-members' });
  return new Fault('forbidden', 'You are the admin because you sent this repository first.', {
    hint: `An admin of the hub confirms it once: \`keepsake hub member role ${caller.name} ${repo} admin\`.`,
  });
}

export function accessOf(hub: Hub, { member, token }: HubCaller, repo: string): HubAccess {
  return { repo, member, token, now: hub.clock.now() };
}

/** In the audit log, too. */
export async function refusal(
  hub: Hub,
  caller: HubCaller,
  { repo, right }: { repo: string; right: string },
): Promise<Fault> {
  await note(hub, caller, { repo, action: 'refused', detail: right });
  return new Fault('forbidden', 'Your role in this repository does not allow this.', {
    hint: 'Ask an admin of the repository or of the hub for a role.',
  });
}

export async function note(
  { database, clock }: Hub,
  { name, device }: { name: string; device: string },
  row: { repo: string; action: string; detail: string },
): Promise<void> {
  await database.audit({ at: clock.now(), member: name, device, ...row });
}

/** Repositories that a member may read, each checked separately. */
export async function readableRepos(hub: Hub, { member }: HubCaller): Promise<string[]> {
  const grants = await hub.database.roles(member);
  if (!grants.some(({ repo }) => repo === ANY_REPO)) return grants.map(({ repo }) => repo);
  return (await hub.database.repos()).map(({ id }) => id);
}

export type ReadableRepo = { id: string; name: string; role: HubRole };

/** What a member can open, by name. */
export async function listRepos(hub: Hub, caller: HubCaller): Promise<ReadableRepo[]> {
  const [grants, repos] = await Promise.all([hub.database.roles(caller.member), hub.database.repos()]);
  const found: ReadableRepo[] = [];
  for (const { id, name } of grants.length > 0 ? repos : []) {
    const role = rolesIn(grants, id).get(caller.member);
    if (role) found.push({ id, name, role });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
