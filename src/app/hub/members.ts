import { ANY_REPO, HUB_ROLES, isHubRole } from '../../core/hub/hub-role.ts';
import { SECRET_BYTES, secretHash, secretLabel, secretText } from '../../core/hub/hub-secret.ts';
import { normalizeAddress } from '../../core/identity/normalize-address.ts';
import { authorName } from '../../core/model/author-name.ts';
import { Fault } from '../../core/model/fault.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import type { HubMember } from '../../ports/hub-database.ts';
import type { AuditRow, HubMemberRow, IssuedToken, RoleInRepo } from '../../ports/hub-members.ts';
import type { Hub } from './hub.ts';
import { formerName } from './hub-segments.ts';

const DAY_MS = 86_400_000;
const INVITATION_DAYS = 7;
const LONGEST_TOKEN_DAYS = 3660;
/** In the audit log: a person working on the hub's own machine. */
const OPERATOR = 'operator';

/** Who changes something: in the audit log. `repo` is where an admin of one repository does it. */
export type HubActor = { name: string; device: string; repo?: string };
export const THE_OPERATOR: HubActor = { name: OPERATOR, device: '' };

type Invited = { member: string; invitation: string; expiresAt: string };

/** A new member, or one more device for a known one: either way one invitation. */
export async function inviteMember(
  hub: Hub,
  asked: string,
  by = THE_OPERATOR,
): Promise<Invited & { isNew: boolean }> {
  const name = memberName(asked);
  const now = hub.clock.now();
  const id = hub.random(16).toString('hex');
  const isNew = await hub.database.addMember({ id, name, addedAt: now, removedAt: null });
  const member = isNew ? id : (await findMember(hub, name)).id;
  if (isNew) await noteBy(hub, by, { action: 'add member', detail: name });
  const invitation = secretText('invitation', hub.random(SECRET_BYTES));
  const expiresAt = laterBy(hub, INVITATION_DAYS);
  const hash = secretHash('invitation', invitation)!;
  await hub.database.addInvitation({ hash, member, createdAt: now, expiresAt });
  await noteBy(hub, by, { action: 'invite', detail: name });
  return { member: name, invitation, expiresAt, isNew };
}

/** Names that the audit log and lists use otherwise are nobody's. */
export function memberName(asked: string): string {
  const name = authorName(asked);
  if (name.toLowerCase() !== OPERATOR && formerName(name) === name) return name;
  throw new Fault('usage', `${JSON.stringify(name)} cannot be the name of a member.`, {
    hint: 'Give the name of a person or of a job.',
  });
}

export async function removeMember(hub: Hub, name: string, by = THE_OPERATOR): Promise<{ member: string }> {
  const member = await findMember(hub, name);
  await hub.database.removeMember(member.id, hub.clock.now());
  await noteBy(hub, by, { action: 'remove member', detail: member.name });
  return { member: member.name };
}

/** A token without a device: for agents and CI jobs. */
export async function issueToken(
  hub: Hub,
  { name, days }: { name: string; days: number },
  by = THE_OPERATOR,
): Promise<IssuedToken> {
  if (!(Number.isInteger(days) && days >= 1 && days <= LONGEST_TOKEN_DAYS))
    throw new Fault('usage', `A token is valid for 1 to ${LONGEST_TOKEN_DAYS} days.`);
  const member = await findMember(hub, name);
  const token = secretText('token', hub.random(SECRET_BYTES));
  const hash = secretHash('token', token)!;
  const label = secretLabel(hash);
  const expiresAt = laterBy(hub, days);
  await hub.database.addToken({
    ...{ hash, member: member.id, device: '', label },
    ...{ createdAt: hub.clock.now(), expiresAt, revokedAt: null },
  });
  await noteBy(hub, by, { action: 'token', detail: `${member.name} ${label} until ${expiresAt}` });
  return { member: member.name, token, label, expiresAt };
}

/** With all devices that joined by it. */
export async function revokeToken(hub: Hub, label: string, by = THE_OPERATOR): Promise<{ label: string }> {
  const found = (await hub.database.tokens()).filter((it) => it.label === label && it.revokedAt === null);
  const [token] = found;
  if (!token)
    throw new Fault('not-found', `No valid token ${label}.`, {
      hint: '`keepsake hub member` lists them.',
    });
  for (const it of found) await hub.database.revokeToken(it.hash, hub.clock.now());
  await noteBy(hub, by, { action: 'revoke token', detail: label });
  return { label };
}

export type RoleRequest = { name: string; repo: string; role: string };

/** `none` takes a role away. */
export async function setMemberRole(hub: Hub, { name, repo, role }: RoleRequest): Promise<RoleInRepo> {
  return giveRole(hub, { name, role, repo: await repoAsked(hub, repo) }, THE_OPERATOR);
}

export function checkRole(role: string): void {
  if (role !== 'none' && !isHubRole(role))
    throw new Fault('usage', `Unknown role ${JSON.stringify(role)}.`, {
      hint: `Use one of: ${HUB_ROLES.join(', ')}, none.`,
    });
}

/** The same in a repository by its id. */
export async function giveRole(
  hub: Hub,
  { name, repo, role }: RoleRequest,
  by: HubActor,
): Promise<RoleInRepo> {
  checkRole(role);
  const member = await findMember(hub, name);
  if (role === 'none') await hub.database.removeRole(repo, member.id);
  else await hub.database.setRole({ repo, member: member.id, role });
  await noteBy(hub, { ...by, repo }, { action: 'grant', detail: `${member.name} ${role}` });
  return { member: member.name, repo, role };
}

/** By `*`, its address, its name or its id. One that nobody has sent yet is known by its address. */
export async function repoAsked(hub: Hub, asked: string): Promise<string> {
  const found = repoAmong(hub, asked, await hub.database.repos());
  if (found !== undefined) return found;
  throw new Fault('not-found', `No repository ${asked}.`, {
    hint: 'Give the URL of its origin, such as github.com/acme/shop.',
  });
}

/** The same, with the names of these alone. */
export function repoAmong(
  hub: Hub,
  asked: string,
  repos: readonly { id: string; name: string }[],
): string | undefined {
  if (asked === ANY_REPO) return ANY_REPO;
  // Its sender chose the name: that never stands before an id or an address.
  if (repos.some(({ id }) => id === asked)) return asked;
  const tag = addressTag(hub, asked);
  if (tag !== undefined && repos.some(({ id }) => id === tag)) return tag;
  const [found, ...others] = repos.filter(({ name }) => name === asked);
  if (found && others.length === 0) return found.id;
  if (found)
    throw new Fault('ambiguous', `Several repositories are named ${asked}.`, {
      choices: [found, ...others].map(({ id, name }) => ({ id, name })),
      hint: 'Give the URL of its origin, or its id.',
    });
  return tag;
}

/** By its address as people write it, without a scheme, too. */
function addressTag(hub: Hub, asked: string): string | undefined {
  const address = normalizeAddress(asked) ?? normalizeAddress(`https://${asked}`);
  return address === undefined ? undefined : repoTag(hub.keys, address);
}

export async function listMembers(hub: Hub): Promise<HubMemberRow[]> {
  const { database, clock } = hub;
  const [members, roles, devices, tokens, repos] = await Promise.all([
    database.members(),
    database.roles(),
    database.devices(),
    database.tokens(),
    database.repos(),
  ]);
  const names = new Map(repos.map(({ id, name }) => [id, name]));
  const now = clock.now();
  return members
    .filter(({ removedAt }) => removedAt === null)
    .map(({ id, name, addedAt }) => ({
      name,
      addedAt,
      roles: roles
        .filter((it) => it.member === id)
        .map(({ repo, role }) => ({ repo, name: repo === ANY_REPO ? '*' : (names.get(repo) ?? ''), role })),
      devices: devices.filter((it) => it.member === id).map((it) => ({ id: it.id, name: it.name })),
      tokens: tokens
        .filter((it) => it.member === id && it.revokedAt === null)
        .filter(({ expiresAt }) => expiresAt === '' || expiresAt > now)
        .map(({ label, expiresAt, device }) => ({ label, expiresAt, device })),
    }));
}

/** Of one repository, or with `*` all of it. */
export async function readAudit(hub: Hub, repo: string, limit: number): Promise<AuditRow[]> {
  const rows = await hub.database.audits(repo === ANY_REPO ? { limit } : { repo, limit });
  return rows.map((row) => ({ ...row, member: formerName(row.member) }));
}

export async function findMember(hub: Hub, name: string): Promise<HubMember> {
  const members = (await hub.database.members()).filter(({ removedAt }) => removedAt === null);
  const found = members.find((it) => it.name === name);
  if (found) return found;
  throw new Fault('not-found', `No member ${name}.`, { hint: '`keepsake hub member` lists them.' });
}

async function noteBy(
  hub: Hub,
  { name, device, repo = '' }: HubActor,
  row: { action: string; detail: string },
): Promise<void> {
  await hub.database.audit({ at: hub.clock.now(), member: name, device, repo, ...row });
}

function laterBy({ clock }: Hub, days: number): string {
  return new Date(clock.millis() + days * DAY_MS).toISOString();
}
