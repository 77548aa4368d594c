import type { Api } from '../../../src/entrypoints/http/api-types.ts';
import { hubBase, isHub, memberHeader, signInAgain } from './hub-place.ts';
import { keyHeader } from './page-key.ts';
import { ApiProblem, isAborted, problemOfResponse } from './problem.ts';
import { chooseTarget } from './save-as.ts';
import { saveFile } from './save-file.ts';

export type RouteName = keyof Api;
export type Answer<R extends RouteName> = Api[R]['answer'];
export type Job = Answer<'get /api/memory/jobs/{jobId}'>;

type QueryValue = string | number | boolean | undefined;
/** Only names that the route knows; none, where it knows none. */
type QueryOf<Query> = [Query] extends [undefined] ? undefined : { [Name in keyof Query]?: QueryValue };
type ParamsOption<R extends RouteName> = keyof Api[R]['params'] extends never
  ? { params?: undefined }
  : { params: Api[R]['params'] };
type CallOptions<R extends RouteName> = ParamsOption<R> & {
  query?: QueryOf<Api[R]['query']>;
  body?: Api[R]['body'];
  signal?: AbortSignal | undefined;
  /** A tag of `readApi`: what changed since then is not written over. */
  ifMatch?: string | undefined;
};
/** They may be left out where the route has nothing in its path to fill in. */
export type Options<R extends RouteName> = keyof Api[R]['params'] extends never
  ? [options?: CallOptions<R>]
  : [options: CallOptions<R>];

/** Asks a route, by its name in the API: `callApi('get /api/memory/projects')`. */
export async function callApi<R extends RouteName>(route: R, ...[options]: Options<R>): Promise<Answer<R>> {
  const response = await send(route, options, {});
  return (await response.json()) as Answer<R>;
}

/** As it is now, with the tag that shows later whether it still is. */
export async function readApi<R extends RouteName>(
  route: R,
  ...[options]: Options<R>
): Promise<{ data: Answer<R>; tag: string | undefined }> {
  const response = await send(route, options, {});
  return { data: (await response.json()) as Answer<R>, tag: response.headers.get('etag') ?? undefined };
}

/** Asks a route that hands out a file, for the browser to save. */
export async function saveApi<R extends RouteName>(route: R, ...[options]: Options<R>): Promise<void> {
  await save(await send(route, options, {}));
}

async function save(response: Response): Promise<void> {
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  saveFile(name ?? 'keepsake', await response.blob());
}

/** The same, where the user chooses the place if the browser lets them; false: canceled. */
export async function saveApiAs<R extends RouteName>(
  route: R,
  suggestedName: string,
  ...[options]: Options<R>
): Promise<boolean> {
  const target = await chooseTarget(suggestedName);
  if (target === 'canceled') return false;
  if (target === undefined) {
    await save(await send(route, options, {}));
    return true;
  }
  const response = await send(route, options, {});
  await response.body?.pipeTo(await target.createWritable());
  return true;
}

/** Starts long work in the background; returns the job to follow. */
export async function beginApi<R extends RouteName>(route: R, ...[options]: Options<R>): Promise<Job> {
  const response = await send(route, options, { prefer: 'respond-async' });
  return (await response.json()) as Job;
}

/** As they are sent, of whatever route. */
type Sent = {
  params?: Record<string, string>;
  query?: Record<string, QueryValue>;
  body?: unknown;
  signal?: AbortSignal;
  ifMatch?: string;
};

function send(route: RouteName, sent: object | undefined, more: Record<string, string>): Promise<Response> {
  const options: Sent = sent ?? {};
  const method = route.slice(0, route.indexOf(' ')).toUpperCase();
  const body = method === 'GET' || method === 'DELETE' ? null : JSON.stringify(options.body ?? {});
  return ask(addressOf(route, options), {
    method,
    body,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
      ...more,
    },
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

/** Every request goes out here, with the page's key. */
export async function ask(address: string, how: RequestInit = {}): Promise<Response> {
  const headers = { ...how.headers, ...keyHeader(), ...memberHeader() };
  const response = await fetch(hubBase + address, { ...how, headers }).catch((error: unknown) => {
    if (isAborted(error)) throw error;
    throw new ApiProblem({
      code: 'unreachable',
      detail: 'Keepsake does not answer.',
      hint: 'Is `keepsake ui` still running? Start it again and reload the page.',
    });
  });
  if (response.ok) return response;
  if (isHub && response.status === 401) signInAgain();
  throw await problemOfResponse(response);
}

function addressOf(route: RouteName, { params = {}, query: asked = {} }: Sent): string {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined && value !== '') query.set(name, String(value));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
