import { createMcpHandler } from '@modelcontextprotocol/server';
import { accessTo } from '../../app/hub/repo-access.ts';
import { Jobs } from '../../app/jobs.ts';
import type { World } from '../../app/world.ts';
import { Fault } from '../../core/model/fault.ts';
import { answer } from '../http/answer.ts';
import { faultOf } from '../http/fault-of.ts';
import { ROUTE_GROUPS } from '../http/groups.ts';
import { LARGEST_BODY } from '../http/guard.ts';
import { InTurn } from '../http/in-turn.ts';
import { Repeated } from '../http/repeated.ts';
import type { Route } from '../http/route.ts';
import { MEMORY_TOOLS } from '../mcp/memory-tools.ts';
import { mcpServer } from '../mcp/serve-mcp.ts';
import type { HubCall, HubRoute } from './hub-routes.ts';

/**
 * What of the API a member sees of a repository on a hub: only what reads its sessions. Named one by one, since other routes
 * read files of the machine, change something, or speak of one user's own settings.
 */
const OPEN = new Set([
  'get /api/memory/projects',
  'get /api/memory/projects/{projectId}',
  'get /api/memory/projects/{projectId}/sessions',
  'get /api/memory/projects/{projectId}/timeline',
  'get /api/memory/timeline',
  'get /api/memory/sessions',
  'get /api/memory/sessions/{sessionId}',
  'get /api/memory/sessions/{sessionId}/messages',
  'get /api/memory/sessions/{sessionId}/messages/{line}',
  'get /api/memory/sessions/{sessionId}/map',
  'get /api/memory/sessions/{sessionId}/versions',
  'get /api/memory/sessions/{sessionId}/exchanges',
  'get /api/memory/exchanges/{exchangeId}',
  'get /api/memory/search',
  'get /api/memory/recall',
  'get /api/memory/suggest',
  'get /api/memory/touched-files',
  'get /api/memory/touched-files/story',
  'get /api/memory/team-facts',
  'get /api/memory/who',
  'post /api/memory/compose/preview',
  'post /api/memory/compose/allocation',
]);
/** The tools that only read, without what is of one machine. */
const TOOLS = MEMORY_TOOLS.filter(({ name }) =>
  ['recall', 'search', 'open', 'sessions', 'suggest', 'compose', 'story'].includes(name),
);

const MCP = '/v1/r/:repo/mcp';
const allRoutes: readonly Route[] = ROUTE_GROUPS.flatMap(({ routes }) => routes as readonly Route[]);

/** Search, recall and compositions of one repository, as the API of an archive has them, and MCP for agents without a disk. */
export const MEMBER_ROUTES: readonly HubRoute[] = [
  ...allRoutes
    .filter((route) => OPEN.has(`${route.method} ${route.path}`))
    .map(
      (route): HubRoute => ({
        method: route.method === 'post' ? 'POST' : 'GET',
        path: `/r/:repo${route.path.replace(/\{(\w+)\}/g, ':$1')}`,
        needs: 'reader',
        run: (call) =>
          call.replicas.read(call.caller, call.repo(), (world) => routeAnswer(route, world, call)),
      }),
    ),
  {
    // Clients ask for a stream of messages from the server: there is none, and 404 would mean that the session has ended.
    method: 'GET',
    path: MCP,
    needs: 'reader',
    run: async ({ hub, caller, repoAsked }) => {
      await hub.database.head(await accessTo(hub, caller, { repo: await repoAsked(), right: 'read' }));
      return new Response(null, { status: 405, headers: { allow: 'POST' } });
    },
  },
  {
    method: 'POST',
    path: MCP,
    needs: 'reader',
    run: async (call) => {
      const body = await call.body(LARGEST_BODY);
      return call.replicas.read(call.caller, await call.repoAsked(), (world) => mcpAnswer(world, call, body));
    },
  },
];

function routeAnswer(route: Route, world: World, call: HubCall): Promise<Response> {
  const { repo: _, ...params } = call.params;
  const { raw, method, url } = call.request;
  if (Number(raw.headers.get('content-length') ?? 0) > LARGEST_BODY)
    throw new Fault('too-large', `A request can have at most ${LARGEST_BODY} bytes.`);
  const header = (name: string) => raw.headers.get(name) ?? undefined;
  // Nothing of an answer is kept: what is purged is gone with the replica.
  const jobs = new Jobs({ clock: world.clock, random: world.random, toFault: faultOf });
  const server = {
    ...{ world, jobs, repeated: new Repeated(), inTurn: new InTurn() },
    ...{ ticket: () => '', reads: 'nothing' as const, failed: () => undefined },
  };
  return answer(
    { ...route, reads: 'nothing' },
    { req: { raw, method, url, param: () => params, header } },
    server,
  );
}

/** Each request for itself: nothing is held between two. */
async function mcpAnswer(world: World, { request, version }: HubCall, body: Buffer): Promise<Response> {
  const tools = TOOLS.map((tool) => ({
    ...tool,
    readOnly: true,
    reads: 'nothing' as const,
    answer: refusing(tool),
  }));
  const failed = async () => undefined;
  const whose = 'of a team in one repository, each with its author';
  const handler = createMcpHandler(() => mcpServer({ version, world, whose, tools, failed }));
  const { url, raw } = request;
  const response = await handler.fetch(
    new Request(url, { method: 'POST', headers: raw.headers, body: new Uint8Array(body) }),
  );
  // All of it: afterwards the replica may be gone.
  const text = await response.text();
  await handler.close();
  return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
}

type Tool = (typeof MEMORY_TOOLS)[number];

/** A composition is shown, never saved: there is nobody's archive here. */
function refusing({ answer: original }: Tool): Tool['answer'] {
  return async (world, input) => {
    const { name, resume } = input as { name?: unknown; resume?: unknown };
    if (name !== undefined || resume !== undefined)
      throw new Fault('usage', 'A hub does not save compositions.', { hint: 'Omit `name` and `resume`.' });
    return original(world, input);
  };
}
