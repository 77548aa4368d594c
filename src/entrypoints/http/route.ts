import type { z } from 'zod';
import type { JobName, JobProgress, Jobs } from '../../app/jobs.ts';
import type { Reads } from '../../app/reads.ts';
import type { World } from '../../app/world.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** `/a/{b}/c/{d}` names `b` and `d`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

/** What a route works with. */
export type Call<Path extends string = string, Query = unknown, Body = unknown> = {
  params: Record<ParamsOf<Path>, string>;
  query: Query;
  body: Body;
  world: World;
  jobs: Jobs;
  /** Makes what opens the page once. */
  ticket: () => string;
  /** Aborted when a job is canceled, or when the client of a read leaves; a write continues without its client. */
  signal: AbortSignal;
  onProgress: (progress: JobProgress) => void;
};

/** Text or bytes as they are, to be saved under a name or followed; never shown as a page. */
export type Download =
  | { type: FileType; name: string; content: string | ReadableStream<Uint8Array> }
  | { type: 'text/event-stream'; content: ReadableStream<Uint8Array> };
type FileType = 'text/markdown' | 'application/x-ndjson' | 'application/gzip' | 'text/plain';
export type DownloadType = Download['type'];

/** One way in: its schemas are its validation, its types and its documentation. */
export type Route<
  M extends Method = Method,
  P extends string = string,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> = {
  method: M;
  path: P;
  /** What it does, in a sentence. */
  about: string;
  query?: Q;
  body?: B;
  /** Undefined for downloads. */
  answer?: A;
  /** The content types of a download. */
  downloads?: DownloadType[];
  /** The status of a successful answer (default 200). If nothing was created, 201 becomes 200. */
  status?: 200 | 201;
  /** Whether something was made; a `dryRun` or a `preview` makes nothing. */
  makes?(answer: z.input<A>): boolean;
  /** Long work: answers 202 at once when asked to, and is done one at a time for each turn. */
  long?(call: Call<P, z.output<Q>, z.output<B>>): Promise<JobName>;
  /** Changes nothing although it is no GET: stops when the client leaves. A `dryRun` or a `preview` is known to. */
  readOnly?: true;
  /** What is brought up to date first; as its group says, and else `sessions`. */
  reads?: Reads | ((call: Call<P, z.output<Q>, z.output<B>>) => Reads);
  /** It takes something away for good: what was answered before is forgotten, too. */
  purges?(call: Call<P, z.output<Q>, z.output<B>>): boolean;
  /** The state that `If-Match` is compared with, as the matching GET returns it. */
  current?(call: Call<P, z.output<Q>, z.output<B>>): Promise<unknown>;
  run(call: Call<P, z.output<Q>, z.output<B>>): Promise<z.input<A> | Download>;
};

type RouteDefinition<
  M extends Method,
  P extends string,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
> = Omit<Route<M, P, Q, B, A>, 'run'> & {
  run(call: Call<P, z.output<Q>, z.output<B>>): Promise<z.input<A>>;
};

/** A route that answers JSON. */
export function route<
  const M extends Method,
  const P extends string,
  A extends z.ZodType,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(definition: RouteDefinition<M, P, Q, B, A> & { answer: A }): Route<M, P, Q, B, A> {
  return definition;
}

/** A route that returns a file. */
export function download<const P extends string, Q extends z.ZodType = z.ZodUndefined>(
  definition: Omit<Route<'get', P, Q, z.ZodUndefined, z.ZodNever>, 'run' | 'answer' | 'method'> & {
    downloads: DownloadType[];
    run(call: Call<P, z.output<Q>, undefined>): Promise<Download>;
  },
): Route<'get', P, Q, z.ZodUndefined, z.ZodNever> {
  return { method: 'get', ...definition };
}
