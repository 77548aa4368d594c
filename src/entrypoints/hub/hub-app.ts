import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import type { Hub } from '../../app/hub/hub.ts';
import { repoAsked } from '../../app/hub/members.ts';
import { type HubCaller, signIn } from '../../app/hub/sign-in.ts';
import { Fault } from '../../core/model/fault.ts';
import { faultOf } from '../http/fault-of.ts';
import { problemOf, problemResponse } from '../http/problem.ts';
import type { Site } from '../http/site.ts';
import { type HubLimits, RateLimits } from './hub-limits.ts';
import { type AnsweredRequest, HubMetrics } from './hub-metrics.ts';
import { hubPage } from './hub-page.ts';
import { HUB_ROUTES, type HubCall, type HubRoute } from './hub-routes.ts';
import { MEMBER_ROUTES } from './member-routes.ts';
import type { Replicas } from './replicas.ts';

/** One line of the log: nothing of what was sent or read. */
export type HubLogLine = AnsweredRequest & { at: string; member: string };

export type HubSetting = {
  hub: Hub;
  /** What members are answered from. */
  replicas: Replicas;
  /** The page's files. */
  site: Site;
  limits: HubLimits;
  version: string;
  log: (line: HubLogLine) => void;
  /** An error that nobody foresaw. */
  failed: (error: unknown) => void;
};

/** Every route but those of the page's files, which hold nothing of anyone. */
export const ALL_HUB_ROUTES: readonly HubRoute[] = [...HUB_ROUTES, ...MEMBER_ROUTES];

const NOBODY: HubCaller = { member: '', name: '', device: '', token: '' };
const HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** The whole hub. Before every route it checks the caller, the rate and the size; after it, it writes the log and the counts. */
export function makeHubApp(setting: HubSetting): Hono {
  const { hub, failed, limits, site } = setting;
  const app = new Hono();
  const around = { ...setting, metrics: new HubMetrics(), rates: new RateLimits(limits, hub.clock.millis) };
  for (const route of ALL_HUB_ROUTES)
    app.on(route.method, route.path, (context) => answered(route, context, around));
  const nothing = () => problemResponse(problemOf(new Fault('not-found', 'No such page.')));
  app.get('*', async ({ req }) => (await hubPage(req.path, site)) ?? nothing());
  app.notFound(nothing);
  app.onError((error) => {
    const fault = faultOf(error);
    if (fault.code === 'internal') failed(error);
    return problemResponse(problemOf(fault));
  });
  return app;
}

type Around = HubSetting & { metrics: HubMetrics; rates: RateLimits };

async function answered(route: HubRoute, context: Context, around: Around): Promise<Response> {
  const { hub, metrics, log, failed } = around;
  const started = performance.now();
  const counts = { bytesIn: 0 };
  let caller = NOBODY;
  let response: Response;
  metrics.inFlight++;
  try {
    caller = await callerOf(route, context, around);
    response = await route.run(callFor(context, { caller, around, counts }));
    // Where the answer did not come through the fence of a repository: revoked meanwhile is revoked.
    if (route.needs === 'member' || route.needs === 'admin of all')
      await signIn(hub, context.req.header('authorization'));
  } catch (error) {
    const fault = faultOf(error);
    if (fault.code === 'internal') failed(error);
    response = problemResponse(problemOf(fault));
    // Someone who guesses: known by the address they come from.
    if (fault.code === 'unauthorized') response = slowed(context, around) ?? response;
  } finally {
    metrics.inFlight--;
  }
  // All of it is there already; without its length nobody could count it.
  const body = await response.arrayBuffer();
  const isEmpty = response.body === null;
  response = new Response(isEmpty ? null : body, { status: response.status, headers: response.headers });
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  const line = {
    method: route.method,
    route: route.path,
    status: response.status,
    ms: Math.round((performance.now() - started) * 10) / 10,
    bytesIn: counts.bytesIn,
    bytesOut: body.byteLength,
  };
  metrics.add(line);
  log({ at: hub.clock.now(), member: caller.name, ...line });
  return response;
}

async function callerOf(route: HubRoute, { req }: Context, { hub, rates }: Around): Promise<HubCaller> {
  if (route.needs === 'nothing' || route.needs === 'invitation') return NOBODY;
  const caller = await signIn(hub, req.header('authorization'));
  rates.request(caller.token);
  return caller;
}

function slowed(context: Context, { rates }: Around): Response | undefined {
  const { incoming } = (context.env ?? {}) as { incoming?: IncomingMessage };
  try {
    rates.mistake(incoming?.socket.remoteAddress ?? '');
    return undefined;
  } catch (error) {
    return problemResponse(problemOf(faultOf(error)));
  }
}

type Asked = { caller: HubCaller; around: Around; counts: { bytesIn: number } };

function callFor(context: Context, { caller, around, counts }: Asked): HubCall {
  const { hub, metrics, version, rates, replicas } = around;
  const { req } = context;
  const params = req.param() as Record<string, string>;
  return {
    hub,
    caller,
    metrics,
    version,
    bearer: /^Bearer (\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? '',
    params,
    query: new URL(req.url).searchParams,
    signal: req.raw.signal,
    request: req,
    replicas,
    repo: () => {
      if (/^[0-9a-f]{32}$/.test(params.repo ?? '')) return params.repo!;
      throw new Fault('usage', 'That is not the id of a repository.');
    },
    repoAsked: async () => (await repoAsked(hub, params.repo ?? '')).replace('*', ''),
    body: async (most) => {
      if (Number(req.header('content-length') ?? 0) > most) throw tooMuch(most);
      const parts: Uint8Array[] = [];
      for await (const part of (req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
        counts.bytesIn += part.length;
        if (counts.bytesIn > most) throw tooMuch(most);
        parts.push(part);
      }
      if (caller.token !== '') rates.bytes(caller.token, counts.bytesIn);
      return Buffer.concat(parts);
    },
  };
}

function tooMuch(most: number): Fault {
  return new Fault('too-large', `A request can have at most ${most} bytes.`);
}
