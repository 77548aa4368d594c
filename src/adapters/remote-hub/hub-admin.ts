import type { HubMembers } from '../../ports/hub-members.ts';

type Asked = { method: 'GET' | 'PUT' | 'POST' | 'DELETE'; body?: unknown };
export type AskHub = (path: string, asked: Asked) => Promise<unknown>;

/** Members and roles of a hub, managed with the token of an admin. */
export function hubAdmin(askAs: AskHub): HubMembers {
  const inRepo = (repo: string, rest: string) => `/v1/r/${encodeURIComponent(repo)}/${rest}`;
  const ask = <T>(path: string, asked: Asked) => askAs(path, asked) as Promise<T>;
  const items = async <T>(path: string) => (await ask<{ items: T[] }>(path, { method: 'GET' })).items;
  return {
    list: (repo) => items(inRepo(repo, 'members')),
    add: (repo, { name, role }) =>
      ask(inRepo(repo, 'members'), { method: 'POST', body: role === undefined ? { name } : { name, role } }),
    remove: (repo, name) => ask(inRepo(repo, `members/${encodeURIComponent(name)}`), { method: 'DELETE' }),
    setRole: (repo, { name, role }) =>
      ask(inRepo(repo, `members/${encodeURIComponent(name)}`), { method: 'PUT', body: { role } }),
    audit: (repo, limit) => items(inRepo(repo, `audit?limit=${limit}`)),
    issueToken: (body) => ask('/v1/tokens', { method: 'POST', body }),
    revokeToken: (label) => ask(`/v1/tokens/${encodeURIComponent(label)}`, { method: 'DELETE' }),
  };
}
