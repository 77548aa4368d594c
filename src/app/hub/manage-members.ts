import { ANY_REPO, isHubRole } from '../../core/hub/hub-role.ts';
import { Fault } from '../../core/model/fault.ts';
import type { AddedMember, HubMemberRow, HubMembers } from '../../ports/hub-members.ts';
import type { Hub } from './hub.ts';
import {
  checkRole,
  findMember,
  giveRole,
  type HubActor,
  inviteMember,
  issueToken,
  listMembers,
  memberName,
  readAudit,
  removeMember,
  repoAmong,
  repoAsked,
  revokeToken,
  setMemberRole,
  THE_OPERATOR,
} from './members.ts';
import { accessTo, listRepos, refusal, rolesIn } from './repo-access.ts';
import type { HubCaller } from './sign-in.ts';

/** Of someone who is added without a word about it. */
const FIRST_ROLE = 'reader';

/** For whoever can reach the hub's data: no rule binds them. */
export function operatorMembers(hub: Hub): HubMembers {
  const at = async (asked: string) => new Managing(hub, await repoAsked(hub, asked), THE_OPERATOR);
  return {
    list: async (repo) => (await at(repo)).list(),
    add: async (repo, asked) => (await at(repo)).add(asked),
    remove: async (repo, name) => (await at(repo)).remove(name),
    setRole: async (repo, asked) => setMemberRole(hub, { ...asked, repo }),
    audit: async (repo, limit) => readAudit(hub, await repoAsked(hub, repo), limit),
    issueToken: (asked) => issueToken(hub, asked),
    revokeToken: (label) => revokeToken(hub, label),
  };
}

/** For a member over the network: each call needs an admin of that repository, or of all for what is about the whole hub. */
export function adminMembers(hub: Hub, caller: HubCaller): HubMembers {
  const at = async <T>(asked: string, work: (it: Managing) => Promise<T>): Promise<T> => {
    const repo = await repoOf(hub, caller, asked);
    const access = await accessTo(hub, caller, { repo, right: 'manage-members' });
    return hub.database.asAdmin(access, (tables) => {
      const inside = { ...hub, database: { ...hub.database, ...tables } };
      return work(new Managing(inside, repo, caller, caller.member));
    });
  };
  return {
    list: (repo) => at(repo, (it) => it.list()),
    add: (repo, asked) => at(repo, (it) => it.add(asked)),
    remove: (repo, name) => at(repo, (it) => it.remove(name)),
    setRole: (repo, asked) => at(repo, (it) => it.setRole(asked)),
    audit: (repo, limit) => at(repo, (it) => it.audit(limit)),
    issueToken: (asked) => at(ANY_REPO, (it) => it.issueToken(asked)),
    revokeToken: (label) => at(ANY_REPO, (it) => it.revokeToken(label)),
  };
}

/** Only repositories that the caller may read have a name: of others nobody learns whether they exist. */
export async function repoOf(hub: Hub, caller: HubCaller, asked: string): Promise<string> {
  const found = repoAmong(hub, asked, await listRepos(hub, caller));
  if (found !== undefined) return found;
  if (/^[0-9a-f]{32}$/.test(asked)) return asked;
  throw await refusal(hub, caller, { repo: '', right: 'read' });
}

/** The members of one repository, or with `*` of the hub. `member`: the admin who does it; without one it is the operator. */
class Managing {
  readonly #hub: Hub;
  readonly #repo: string;
  readonly #by: HubActor;
  readonly #member: string | undefined;

  constructor(hub: Hub, repo: string, { name, device }: HubActor, member?: string) {
    [this.#hub, this.#repo, this.#member] = [hub, repo, member];
    this.#by = { name, device, ...(repo === ANY_REPO ? {} : { repo }) };
  }

  async list(): Promise<HubMemberRow[]> {
    const rows = await listMembers(this.#hub);
    if (this.#repo === ANY_REPO) return rows;
    const counts = ({ repo }: { repo: string }) => repo === this.#repo || repo === ANY_REPO;
    return rows
      .filter(({ roles }) => roles.some(counts))
      .map((row) => ({ ...row, roles: row.roles.filter(counts), tokens: [] }));
  }

  /** With an invitation for who has none: for others only they themselves may add a device, since it speaks in their name. */
  async add(asked: { name: string; role?: string | undefined }): Promise<AddedMember> {
    const [name, role] = [memberName(asked.name), asked.role];
    if (role !== undefined) checkRole(role);
    const known = (await listMembers(this.#hub)).find((row) => row.name === name);
    const mayInvite = known === undefined || this.#isAll() || (await this.#isOnlyOurs(known));
    const invited = mayInvite ? await inviteMember(this.#hub, name, this.#by) : undefined;
    const before = known?.roles.find(({ repo }) => repo === this.#repo)?.role;
    const granted = role ?? before ?? (this.#repo === ANY_REPO ? 'none' : FIRST_ROLE);
    if (granted !== (before ?? 'none')) await this.setRole({ name, role: granted });
    return {
      ...{ member: name, isNew: known === undefined, role: granted },
      ...{ invitation: invited?.invitation ?? null, expiresAt: invited?.expiresAt ?? null },
    };
  }

  async remove(name: string): Promise<{ member: string }> {
    if (this.#repo !== ANY_REPO) {
      const { member } = await this.setRole({ name, role: 'none' });
      return { member };
    }
    await this.#keepAnAdmin(name, 'none');
    return removeMember(this.#hub, name, this.#by);
  }

  async setRole({ name, role }: { name: string; role: string }) {
    await this.#keepAnAdmin(name, role);
    if (role === 'none') await this.#haveRole(name);
    return giveRole(this.#hub, { name, repo: this.#repo, role }, this.#by);
  }

  audit(limit: number) {
    return readAudit(this.#hub, this.#repo, limit);
  }

  issueToken(asked: { name: string; days: number }) {
    return issueToken(this.#hub, asked, this.#by);
  }

  revokeToken(label: string) {
    return revokeToken(this.#hub, label, this.#by);
  }

  #isAll(): boolean {
    return this.#member === undefined || this.#repo === ANY_REPO;
  }

  /** Nobody has joined by that name, and it has roles only where the admin could take them away: nobody else means to let them in. */
  async #isOnlyOurs({ roles, devices, tokens }: HubMemberRow): Promise<boolean> {
    if (devices.length > 0 || tokens.length > 0) return false;
    const grants = await this.#hub.database.roles(this.#member);
    return (
      roles.length > 0 && roles.every(({ repo }) => rolesIn(grants, repo).get(this.#member ?? '') === 'admin')
    );
  }

  /** A role for all repositories is not of this one. */
  async #haveRole(name: string): Promise<void> {
    const { id } = await findMember(this.#hub, name);
    const roles = await this.#hub.database.roles(id);
    if (roles.some(({ repo }) => repo === this.#repo)) return;
    throw new Fault(
      'not-found',
      roles.some(({ repo }) => repo === ANY_REPO)
        ? `The role of ${name} is for all repositories.`
        : `${name} has no role in this repository.`,
      { hint: '`keepsake hub member` lists members and roles.' },
    );
  }

  /** Over the network, nobody leaves a repository that no one could manage. */
  async #keepAnAdmin(name: string, role: string): Promise<void> {
    if (this.#member === undefined || role === 'admin' || !(isHubRole(role) || role === 'none')) return;
    const { id } = await findMember(this.#hub, name);
    const roles = [...rolesIn(await this.#hub.database.roles(), this.#repo)];
    const admins = roles.filter(([, it]) => it === 'admin').map(([member]) => member);
    if (admins.includes(id) && admins.length === 1)
      throw new Fault('conflict', `${name} is the only admin.`, { hint: 'Make someone else admin first.' });
  }
}
