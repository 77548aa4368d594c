import { z } from 'zod';
import { adminMembers } from '../../app/hub/manage-members.ts';
import type { HubMembers } from '../../ports/hub-members.ts';
import { type HubCall, type HubRoute, jsonBody, parsedAs } from './hub-routes.ts';

const DEFAULT_ROWS = 50;
const MOST_ROWS = 1000;
const name = z.string().min(1).max(200);
const role = z.string().max(20);
const addSchema = z.strictObject({ name, role: role.optional() });
const roleSchema = z.strictObject({ role });
const tokenSchema = z.strictObject({ name, days: z.number() });
const auditSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(DEFAULT_ROWS),
});

type Manage = (members: HubMembers, call: HubCall, repo: string) => Promise<unknown>;

function managed({ method, path }: Pick<HubRoute, 'method' | 'path'>, manage: Manage): HubRoute {
  return {
    ...{ method, path, needs: 'admin' },
    run: async (call) =>
      Response.json(await manage(adminMembers(call.hub, call.caller), call, call.params.repo ?? '*')),
  };
}

const MEMBERS = '/v1/r/:repo/members';

/** What an admin does from another machine. `:repo` is an address, a name or an id; `*` needs an admin of all repositories. */
export const MANAGE_ROUTES: readonly HubRoute[] = [
  managed({ method: 'GET', path: MEMBERS }, async (members, _, repo) => ({
    items: await members.list(repo),
  })),
  managed({ method: 'POST', path: MEMBERS }, async (members, call, repo) =>
    members.add(repo, await jsonBody(call, addSchema)),
  ),
  managed({ method: 'PUT', path: `${MEMBERS}/:name` }, async (members, call, repo) =>
    members.setRole(repo, { name: call.params.name!, ...(await jsonBody(call, roleSchema)) }),
  ),
  managed({ method: 'DELETE', path: `${MEMBERS}/:name` }, (members, { params }, repo) =>
    members.remove(repo, params.name!),
  ),
  managed({ method: 'GET', path: '/v1/r/:repo/audit' }, async (members, { query }, repo) => ({
    items: await members.audit(repo, parsedAs(auditSchema, Object.fromEntries(query)).limit),
  })),
  managed({ method: 'POST', path: '/v1/tokens' }, async (members, call) =>
    members.issueToken(await jsonBody(call, tokenSchema)),
  ),
  managed({ method: 'DELETE', path: '/v1/tokens/:label' }, (members, { params }) =>
    members.revokeToken(params.label!),
  ),
];
