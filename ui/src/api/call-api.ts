import type { Api } from '../../../src/entrypoints/http/api-types.ts';
import { ApiProblem, problemOfResponse } from './problem.ts';

export type RouteName = keyof Api;
export type Answer<R extends RouteName> = Api[R]['answer'];
export type Job = Answer<'get /api/memory/jobs/{jobId}'>;

type Given<R extends RouteName> = {
  params?: Partial<Record<keyof Api[R]['params'], string>>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: Api[R]['body'];
  signal?: AbortSignal | undefined;
};

/** Asks a route, by its name in the API: `callApi('get /api/memory/projects')`. */
export async function callApi<R extends RouteName>(route: R, given: Given<R> = {}): Promise<Answer<R>> {
  const response = await send(route, given, {});
  return (await response.json()) as Answer<R>;
}

/** Asks for long work that goes on by itself; what comes back is the job to follow. */
export async function beginApi<R extends RouteName>(route: R, given: Given<R> = {}): Promise<Job> {
  const response = await send(route, given, { prefer: 'respond-async' });
  return (await response.json()) as Job;
}

async function send<R extends RouteName>(
  route: R,
  given: Given<R>,
  more: Record<string, string>,
): Promise<Response> {
  const method = route.slice(0, route.indexOf(' ')).toUpperCase();
  const body = method === 'GET' || method === 'DELETE' ? null : JSON.stringify(given.body ?? {});
  const response = await fetch(addressOf(route, given), {
    method,
    body,
    headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...more },
    ...(given.signal ? { signal: given.signal } : {}),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem({
      code: 'unreachable',
      detail: 'Keepsake does not answer.',
      hint: 'Is `keepsake ui` still running? Start it again and reload the page.',
    });
  });
  if (response.ok) return response;
  throw await problemOfResponse(response);
}

/** A route's address, also for downloads. */
export function addressOf<R extends RouteName>(
  route: R,
  given: Pick<Given<R>, 'params' | 'query'> = {},
): string {
  const params: Record<string, string | undefined> = given.params ?? {};
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query ?? {}))
    if (value !== undefined && value !== '') query.set(name, String(value));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
