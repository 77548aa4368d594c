import { z } from 'zod';
import type { Hub } from '../../app/hub/hub.ts';
import {
  followSegments,
  getSegment,
  listSegments,
  putSegment,
  removeSegment,
  repoAuthors,
  toSegmentName,
} from '../../app/hub/hub-segments.ts';
import { joinHub, registerDevice } from '../../app/hub/join-hub.ts';
import { accessTo, listRepos, roleIn } from '../../app/hub/repo-access.ts';
import type { HubCaller } from '../../app/hub/sign-in.ts';
import { ANY_REPO, mayDo } from '../../core/hub/hub-role.ts';
import { Fault } from '../../core/model/fault.ts';
import { MOST_SEALED } from '../../core/remote/open-segment.ts';
import type { HubMetrics } from './hub-metrics.ts';
import type { Replicas } from './replicas.ts';

/** One request, read as far as it is for all. */
export type HubCall = {
  hub: Hub;
  caller: HubCaller;
  bearer: string;
  params: Record<string, string>;
  query: URLSearchParams;
  /** The maximum bytes of the body. */
  body(most: number): Promise<Buffer>;
  signal: AbortSignal;
  metrics: HubMetrics;
  version: string;
  request: { raw: Request; method: string; url: string };
  replicas: Replicas;
  /** The repository of the path, by its id. */
  repo(): string;
  /** The same, by its address or its name, too. */
  repoAsked(): Promise<string>;
};

/** `needs`: what a caller must have to be let in at all; what exactly they may do, the use case knows. */
export type HubRoute = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  needs: 'nothing' | 'invitation' | 'member' | 'admin of all' | 'reader' | 'writer' | 'admin';
  run(call: HubCall): Promise<Response>;
};

const LARGEST_JSON = 16 * 1024;
const MOST_WAIT_S = 30;
const POLL_MS = 500;

const claimSchema = z.strictObject({
  publicKey: z.string().length(44),
  deviceName: z.string().min(1).max(100),
  proof: z.string().max(200),
});
const joinSchema = claimSchema.extend({ invitation: z.string().max(200) });
const followSchema = z.strictObject({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  wait: z.coerce.number().min(0).max(MOST_WAIT_S).default(0),
});

const SEGMENT = '/v1/r/:repo/:device/:lane/:file';

export const HUB_ROUTES: readonly HubRoute[] = [
  { method: 'GET', path: '/healthz', needs: 'nothing', run: async () => Response.json({ status: 'ok' }) },
  {
    method: 'GET',
    path: '/readyz',
    needs: 'nothing',
    run: async ({ hub }) => {
      await hub.database.check();
      return Response.json({ status: 'ready' });
    },
  },
  {
    method: 'GET',
    path: '/metrics',
    needs: 'admin of all',
    run: async ({ hub, caller, metrics }) => {
      if ((await roleIn(hub, caller.member, ANY_REPO)) !== 'admin')
        throw new Fault('forbidden', 'Only admins of all repositories can see this.');
      const text = metrics.render(process.memoryUsage.rss());
      return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
    },
  },
  {
    method: 'POST',
    path: '/v1/join',
    needs: 'invitation',
    run: async (call) => {
      const { invitation, ...claim } = await jsonBody(call, joinSchema);
      return Response.json(await joinHub(call.hub, invitation, claim));
    },
  },
  {
    method: 'POST',
    path: '/v1/devices',
    needs: 'member',
    run: async (call) => {
      const { hub, caller, bearer } = call;
      const claim = await jsonBody(call, claimSchema);
      return Response.json(await registerDevice(hub, { caller, bearer }, claim));
    },
  },
  {
    method: 'GET',
    path: '/v1/me',
    needs: 'member',
    run: async ({ caller, version }) =>
      Response.json({ member: caller.name, device: caller.device, version }),
  },
  {
    method: 'GET',
    path: '/v1/repositories',
    needs: 'member',
    run: async ({ hub, caller }) => Response.json({ items: await listRepos(hub, caller) }),
  },
  {
    method: 'GET',
    path: '/v1/names',
    needs: 'member',
    run: async ({ hub, caller, query }) => {
      const prefix = query.get('prefix') ?? 'r/';
      if (!/^r\/[0-9a-z/-]{0,200}$/.test(prefix)) throw new Fault('usage', 'Not a prefix of segments.');
      const items = await listSegments(hub, caller, prefix);
      return Response.json({ items: items.map(({ name, bytes }) => [name, bytes]) });
    },
  },
  {
    method: 'GET',
    path: '/v1/r/:repo/log',
    needs: 'reader',
    run: async ({ hub, caller, repo: repoOf, query, signal }) => {
      const { after, wait } = parsedAs(followSchema, Object.fromEntries(query));
      const repo = repoOf();
      const until = hub.clock.millis() + wait * 1000;
      for (;;) {
        // Each poll checks the caller's access again: a removed member gets nothing more.
        const found = await followSegments(hub, caller, { repo, after });
        const isOver = found.items.length > 0 || hub.clock.millis() >= until || signal.aborted;
        if (isOver) return Response.json(found);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
  },
  {
    method: 'GET',
    path: '/v1/r/:repo/role',
    needs: 'reader',
    run: async ({ hub, caller, repo }) => {
      const access = await accessTo(hub, caller, { repo: repo(), right: 'read' });
      await hub.database.head(access);
      const role = await roleIn(hub, caller.member, repo());
      return Response.json({ role, mayReview: mayDo(role, 'review') });
    },
  },
  {
    method: 'GET',
    path: '/v1/r/:repo/authors',
    needs: 'reader',
    run: async ({ hub, caller, repo }) => Response.json({ items: await repoAuthors(hub, caller, repo()) }),
  },
  {
    method: 'PUT',
    path: SEGMENT,
    needs: 'writer',
    run: async ({ hub, caller, params, body }) => {
      const name = toSegmentName(nameIn(params));
      const { position, isNew, isGone } = await putSegment(hub, caller, name, await body(MOST_SEALED));
      return Response.json({ position }, { status: isGone ? 410 : isNew ? 201 : 200 });
    },
  },
  {
    method: 'GET',
    path: SEGMENT,
    needs: 'reader',
    run: async ({ hub, caller, params }) => {
      const bytes = await getSegment(hub, caller, toSegmentName(nameIn(params)));
      if (!bytes) throw new Fault('not-found', 'No such segment.');
      return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'application/octet-stream' } });
    },
  },
  {
    method: 'DELETE',
    path: SEGMENT,
    needs: 'writer',
    run: async ({ hub, caller, params, replicas }) => {
      const name = toSegmentName(nameIn(params));
      const removed = await removeSegment(hub, caller, name);
      // Other hubs see it with their next poll.
      if (removed) await replicas.drop(name.repo);
      return Response.json({ removed });
    },
  },
];

function nameIn({ repo, device, lane, file }: Record<string, string>): string {
  return `r/${repo}/${device}/${lane}/${file}`;
}

export async function jsonBody<T>(call: HubCall, schema: z.ZodType<T>): Promise<T> {
  const text = (await call.body(LARGEST_JSON)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault('usage', 'The body is not JSON.');
  }
  return parsedAs(schema, value);
}

export function parsedAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Fault('usage', `${issue?.path.join('.') ?? 'request'}: ${issue?.message ?? 'not valid'}`);
}
