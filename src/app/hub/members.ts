import { ANY_REPO, HUB_ROLES, isHubRole } from '../../core/hub/hub-role.ts';
import { SECRET_BYTES, secretHash, secretLabel, secretText } from '../../core/hub/hub-secret.ts';
import { normalizeAddress } from '../../core/identity/normalize-address.ts';
import { authorName } from '../../core/model/author-name.ts';
import { Fault } from '../../core/model/fault.ts';
import { repoTag } from '../../core/remote/remote-key.ts';
import type { HubMember, HubRepo } from '../../ports/hub-database.ts';
import type { Hub } from './hub.ts';
import { formerName } from './hub-segments.ts';

const DAY_MS = 86_400_000;
const INVITATION_DAYS = 7;
const LONGEST_TOKEN_DAYS = 3660;
/** In the audit log: a person working on the hub's own machine. */
export const OPERATOR = 'operator';

export type Invited = { member: string; invitation: string; expiresAt: string };

/** A new member, or one more device for a known one: either way one invitation. */
export async function inviteMember(hub: Hub, asked: string): Promise<Invited & { isNew: boolean }> {
  const name = authorName(asked);
  const now = hub.clock.now();
  const id = hub.random(16).toString('hex');
  const isNew = await hub.database.addMember({ id, name, addedAt: now, removedAt: null });
  const member = isNew ? id : (await findMember(hub, name)).id;
  if (isNew) await noteOperator(hub, 'add member', name);
  const invitation = secretText('invitation', hub.random(SECRET_BYTES));
  const expiresAt = laterBy(hub, INVITATION_DAYS);
  const hash = secretHash('invitation', invitation)!;
  await hub.database.addInvitation({ hash, member, createdAt: now, expiresAt });
  await noteOperator(hub, 'invite', name);
  return { member: name, invitation, expiresAt, isNew };
}

export async function removeMember(hub: Hub, name: string): Promise<{ member: string }> {
  const member = await findMember(hub, name);
  await hub.database.removeMember(member.id, hub.clock.now());
  await noteOperator(hub, 'remove member', member.name);
  return { member: member.name };
}

export type IssuedToken = { member: string; token: string; label: string; expiresAt: string };

/** A token without a device: for agents and CI jobs. */
export async function issueToken(
  hub: Hub,
  { name, days }: { name: string; days: number },
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
  await noteOperator(hub, 'token', `${member.name} ${label} until ${expiresAt}`);
  return { member: member.name, token, label, expiresAt };
}

/** With all devices that joined by it. */
export async function revokeToken(hub: Hub, label: string): Promise<{ label: string }> {
  const found = (await hub.database.tokens()).filter((it) => it.label === label && it.revokedAt === null);
  const [token] = found;
  if (!token)
    throw new Fault('not-found', `No valid token ${label}.`, {
      hint: '`keepsake hub member` lists them.',
    });
  for (const it of found) await hub.database.revokeToken(it.hash, hub.clock.now());
  await noteOperator(hub, 'revoke token', label);
  return { label };
}

export type RoleRequest = { name: string; repo: string; role: string };

/** `none` takes a role away. */
export async function setMemberRole(
  hub: Hub,
  { name, repo: asked, role }: RoleRequest,
): Promise<{ member: string; repo: string; role: string }> {
  if (role !== 'none' && !isHubRole(role))
    throw new Fault('usage', `Unknown role ${JSON.stringify(role)}.`, {
      hint: `Use one of: ${HUB_ROLES.join(', ')}, none.`,
    });
  const member = await findMember(hub, name);
  const repo = await repoAsked(hub, asked);
  if (role === 'none') await hub.database.removeRole(repo, member.id);
  else await hub.database.setRole({ repo, member: member.id, role });
  await noteOperator(hub, 'grant', `${member.name} ${role}`, repo);
  return { member: member.name, repo, role };
}

/** By `*`, its address, its name or its id. One that nobody has sent yet is known by its address. */
export async function repoAsked(hub: Hub, asked: string): Promise<string> {
  if (asked === ANY_REPO) return ANY_REPO;
  const repos = await hub.database.repos();
  const fits = ({ id, name }: HubRepo) => id === asked || name === asked;
  const [found, ...others] = repos.filter(fits);
  if (found && others.length === 0) return found.id;
  if (found)
    throw new Fault('ambiguous', `Several repositories are named ${asked}.`, {
      choices: [found, ...others].map(({ id, name }) => ({ id, name })),
      hint: 'Give the URL of its origin, or its id.',
    });
  // As people write it, without a scheme, too.
  const address = normalizeAddress(asked) ?? normalizeAddress(`https://${asked}`);
  if (address !== undefined) return repoTag(hub.keys, address);
  throw new Fault('not-found', `No repository ${asked}.`, {
    hint: 'Give the URL of its origin, such as github.com/acme/shop.',
  });
}

export type HubMemberRow = {
  name: string;
  addedAt: string;
  roles: { repo: string; name: string; role: string }[];
  devices: { id: string; name: string }[];
  tokens: { label: string; expiresAt: string; device: string }[];
};

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

export type AuditRow = {
  at: string;
  member: string;
  device: string;
  repo: string;
  action: string;
  detail: string;
};

export async function readAudit(hub: Hub, limit: number): Promise<AuditRow[]> {
  const rows = await hub.database.audits({ limit });
  return rows.map((row) => ({ ...row, member: formerName(row.member) }));
}

async function findMember(hub: Hub, name: string): Promise<HubMember> {
  const members = (await hub.database.members()).filter(({ removedAt }) => removedAt === null);
  const found = members.find((it) => it.name === name);
  if (found) return found;
  throw new Fault('not-found', `No member ${name}.`, { hint: '`keepsake hub member` lists them.' });
}

async function noteOperator(hub: Hub, action: string, detail: string, repo = ''): Promise<void> {
  await hub.database.audit({ at: hub.clock.now(), member: OPERATOR, device: '', repo, action, detail });
}

function laterBy({ clock }: Hub, days: number): string {
  return new Date(clock.millis() + days * DAY_MS).toISOString();
}
