import { createHash } from 'node:crypto';
import type { Job, JobRun, Jobs } from '../../app/jobs.ts';
import type { Reads } from '../../app/reads.ts';
import { syncFor } from '../../app/sync/sync-for.ts';
import type { World } from '../../app/world.ts';
import { Fault } from '../../core/model/fault.ts';
import { faultOf } from './fault-of.ts';
import type { InTurn } from './in-turn.ts';
import { readCall } from './read-call.ts';
import type { Repeated } from './repeated.ts';
import type { Call, Download, Route } from './route.ts';

export type ServerContext = {
  world: World;
  jobs: Jobs;
  ticket: () => string;
  repeated: Repeated;
  inTurn: InTurn;
  /** What the routes of this group read, where they do not say otherwise. */
  reads: Reads;
  /** An error that was not expected. */
  failed: (error: unknown) => void;
};

/** What is read of a request. */
export type RouteRequest = {
  raw: Request;
  method: string;
  url: string;
  param(): Record<string, string>;
  header(name: string): string | undefined;
};

/** Runs a route for one request: reads it, holds it against what is there, answers. */
export async function answer(
  route: Route,
  { req }: { req: RouteRequest },
  server: ServerContext,
): Promise<Response> {
  const read = await readCall(route, req.raw, req.param());
  const { world, jobs, ticket } = server;
  const call: Call = { ...read, world, jobs, ticket, signal: never, onProgress: () => undefined };
  if (changesNothing(route, read.body)) call.signal = req.raw.signal;
  if (route.method === 'get') {
    await syncFor(world, readsOf(route, call, server));
    const response = respond(route, req.raw, call, await route.run(call));
    // Nobody will read it: what is behind it is let go.
    if (req.method === 'HEAD') await response.body?.cancel();
    return req.method === 'HEAD' ? new Response(null, response) : response;
  }
  const work = async () => {
    await syncFor(world, readsOf(route, call, server));
    return checked(route, call, req.raw, server);
  };
  if (route.method !== 'post') return work();
  const { pathname, search } = new URL(req.url);
  const what = { method: req.method, path: pathname + search, body: read.body, prefer: req.header('prefer') };
  return server.repeated.answer(req.header('idempotency-key'), what, work, (first) => asOfNow(first, jobs));
}

function readsOf(route: Route, call: Call, server: ServerContext): Reads {
  const { reads = server.reads } = route;
  return typeof reads === 'function' ? reads(call) : reads;
}

/** A job that was begun is answered as it is now; one that came to nothing is begun again. */
function asOfNow(first: Response, jobs: Jobs): Response | undefined {
  if (first.status !== 202) return first;
  const job = jobs.find(first.headers.get('location')?.split('/').at(-1) ?? '');
  // One of long ago, which is no longer listed, was made anyway.
  if (!job) return first;
  return job.state === 'failed' || job.state === 'cancelled' ? undefined : begunAnswer(job);
}

const never = new AbortController().signal;

/** Nobody misses what is not finished of it. */
function changesNothing({ method, readOnly }: Route, body: unknown): boolean {
  const { dryRun, preview } = (body ?? {}) as { dryRun?: unknown; preview?: unknown };
  return method === 'get' || readOnly === true || dryRun === true || preview === true;
}

/** No other edit of its kind by this server comes between the check and the change. */
async function checked(route: Route, call: Call, request: Request, server: ServerContext): Promise<Response> {
  const wanted = request.headers.get('if-match');
  if (!route.current) {
    if (wanted === null) return begun(route, call, request, server);
    throw new Fault('usage', 'This route does not accept If-Match.', {
      hint: 'See /api/docs for the routes that do.',
    });
  }
  const [, , , kind = ''] = route.path.split('/');
  return server.inTurn.run(kind, async () => {
    if (wanted !== null && wanted.trim() !== '*') {
      const tag = tagOf(JSON.stringify(await route.current?.(call)));
      const tags = wanted.split(',').map((it) => it.trim().replace(/^W\//, ''));
      if (!tags.includes(tag))
        throw new Fault('changed-meanwhile', 'Someone changed it since you read it.', {
          hint: 'Read it again, check what changed, and send your change with the new ETag.',
        });
    }
    return begun(route, call, request, server);
  });
}

async function begun(route: Route, call: Call, request: Request, server: ServerContext): Promise<Response> {
  if (!route.long) return respond(route, request, call, await route.run(call));
  const name = await route.long(call);
  const waited = !/\brespond-async\b/i.test(request.headers.get('prefer') ?? '');
  const work = async (run: JobRun) => {
    try {
      return await route.run({ ...call, ...run });
    } finally {
      if (route.purges?.(call)) forgetAnswers(server);
    }
  };
  const { job, done } = call.jobs.start(name, work, { waited });
  if (waited) {
    const left = () => call.jobs.cancel(job.jobId);
    call.signal.addEventListener('abort', left, { once: true });
    if (call.signal.aborted) left();
    const result = await done.finally(() => call.signal.removeEventListener('abort', left));
    return respond(route, request, call, result);
  }
  // The job itself reports it, except for unexpected errors.
  done.catch((error) => faultOf(error).code === 'internal' && server.failed(error));
  return begunAnswer(job);
}

/** What was answered before may hold what is gone now. */
function forgetAnswers({ jobs, repeated }: ServerContext): void {
  jobs.forgetResults();
  repeated.clear();
}

function begunAnswer(job: Job): Response {
  return new Response(JSON.stringify(job), {
    status: 202,
    headers: {
      'content-type': 'application/json',
      location: `/api/memory/jobs/${job.jobId}`,
      'preference-applied': 'respond-async',
    },
  });
}

function respond(route: Route, request: Request, call: Call, result: unknown): Response {
  if (route.downloads) return handOut(result as Download);
  const body = JSON.stringify(result ?? null);
  const headers = { 'content-type': 'application/json' };
  if (route.method !== 'get') {
    const made = !changesNothing(route, call.body) && route.makes?.(result) !== false;
    return new Response(body, { status: made ? (route.status ?? 200) : 200, headers });
  }
  const etag = tagOf(body);
  if (request.headers.get('if-none-match')?.includes(etag))
    return new Response(null, { status: 304, headers: { etag } });
  return new Response(body, { headers: { ...headers, etag } });
}

/** Saved, never shown: a transcript may hold anything. */
function handOut(download: Download): Response {
  const { type, content } = download;
  if (type === 'text/event-stream') return new Response(content, { headers: { 'content-type': type } });
  const plain = download.name.replace(/[^\w.-]+/g, '_');
  return new Response(content, {
    headers: {
      'content-type': `${type}${type === 'application/gzip' ? '' : '; charset=utf-8'}`,
      'content-disposition': `attachment; filename="${plain}"`,
    },
  });
}

function tagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}
