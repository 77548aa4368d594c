import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import type { Hub } from '../../app/hub/hub.ts';
import { repoOf } from '../../app/hub/manage-members.ts';
import { type HubCaller, signIn } from '../../app/hub/sign-in.ts';
import { Fault } from '../../core/model/fault.ts';
import { faultOf } from '../http/fault-of.ts';
import { problemOf, problemResponse } from '../http/problem.ts';
import type { Site } from '../http/site.ts';
import { type HubLimits, RateLimits } from './hub-limits.ts';
import { type AnsweredRequest, HubMetrics } from './hub-metrics.ts';
import { hubPage } from './hub-page.ts';
import { HUB_ROUTES, type HubCall, type HubRoute } from './hub-routes.ts';
import { MANAGE_ROUTES } from './manage-routes.ts';
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
  /** An error that was not expected. */
  failed: (error: unknown) => void;
};

/** Every route but those of the page's files, which hold nothing of anyone. */
export const ALL_HUB_ROUTES: readonly HubRoute[] = [...HUB_ROUTES, ...MANAGE_ROUTES, ...MEMBER_ROUTES];

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
  let answer: WholeAnswer;
  metrics.inFlight++;
  try {
    caller = await callerOf(route, context, around);
    answer = await wholeAnswer(await route.run(callFor(context, { caller, around, counts })));
    // Where the answer did not come through the fence of a repository: revoked meanwhile is revoked.
    if (route.needs === 'member' || route.needs === 'admin of all')
      await signIn(hub, context.req.header('authorization'));
  } catch (error) {
    const fault = isCutOff(error, context) ? new Fault('cancelled', 'Only a part arrived.') : faultOf(error);
    if (fault.code === 'internal') failed(error);
    // Somebody who guesses: known by the address they come from.
    const slow = fault.code === 'unauthorized' ? slowed(context, around) : undefined;
    answer = await wholeAnswer(slow ?? problemResponse(problemOf(fault)));
  } finally {
    metrics.inFlight--;
  }
  const { response, bytes: bytesOut } = answer;
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  const line = {
    method: route.method,
    route: route.path,
    status: response.status,
    ms: Math.round((performance.now() - started) * 10) / 10,
    bytesIn: counts.bytesIn,
    bytesOut,
  };
  metrics.add(line);
  log({ at: hub.clock.now(), member: caller.name, ...line });
  return response;
}

type WholeAnswer = { response: Response; bytes: number };

/** All of it at once: without its length nobody could count it, and what fails on the way is an answer and a line of the log like any other. */
async function wholeAnswer(made: Response): Promise<WholeAnswer> {
  const { status, headers } = made;
  const isEmpty = made.body === null;
  const body = await made.arrayBuffer();
  return { response: new Response(isEmpty ? null : body, { status, headers }), bytes: body.byteLength };
}

async function callerOf(route: HubRoute, { req }: Context, { hub, rates }: Around): Promise<HubCaller> {
  if (route.needs === 'nothing' || route.needs === 'invitation') return NOBODY;
  const caller = await signIn(hub, req.header('authorization'));
  rates.request(caller.token);
  return caller;
}

function incomingOf({ env }: Context): IncomingMessage | undefined {
  return ((env ?? {}) as { incoming?: IncomingMessage }).incoming;
}

/** The sender went away before all of the request was here. */
function isCutOff(error: unknown, context: Context): boolean {
  return error instanceof Error && incomingOf(context)?.errored === error;
}

function slowed(context: Context, { rates }: Around): Response | undefined {
  try {
    rates.mistake(incomingOf(context)?.socket.remoteAddress ?? '');
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
    repoAsked: async () => (await repoOf(hub, caller, params.repo ?? '')).replace('*', ''),
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
