import type { MiddlewareHandler } from 'hono';
import { Fault } from '../../core/model/fault.ts';
import { cookieName, type Gate, isSameSecret } from './gate.ts';
import { KEY_HEADER, KEY_SIGN } from './page-key.ts';
import { problemOf, problemResponse } from './problem.ts';
import { STRANGER_PAGE, STRANGER_POLICY } from './stranger-page.ts';

/** Bytes of a request's body. */
export const LARGEST_BODY = 1024 * 1024;

/** No script, style, font or picture but our own, no frame, no form, nothing kept by the browser. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
};

/** Guards every present and future route: who has access, from where, with what. */
export function guard(gate: Gate): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const refused = refusal(req.raw, gate) ?? exchange(req.raw, gate);
    const isStranger = !refused && !isKnown(req.raw, gate);
    if (refused) context.res = refused;
    else if (isStranger) context.res = strangerAnswer(req.raw);
    else await next();
    for (const [name, value] of Object.entries(PAGE_HEADERS)) context.res.headers.set(name, value);
    if (isStranger) context.res.headers.set('content-security-policy', STRANGER_POLICY);
  };
}

/**
 * Before all that can hold someone's words: the page's cookie is not enough, since a browser gives it to every port of
 * this machine. The router decides what that is, so that no way of writing a path leads around it.
 */
export function keyed(gate: Gate): MiddlewareHandler {
  return async ({ req }, next) => {
    if (isProgram(req.raw, gate) || isSameSecret(req.header(KEY_HEADER) ?? '', gate.key)) return next();
    return problemResponse(problemOf(noToken()));
  };
}

/** Refuses requests to other hosts and from other origins, before the token is checked. */
function refusal(request: Request, gate: Gate): Response | undefined {
  const hosts = hostsOf(gate);
  const { headers, method } = request;
  // A request line may name a host of its own, instead of the header's.
  const { protocol, host } = new URL(request.url);
  if (protocol !== 'http:' || !hosts.includes(host) || !hosts.includes(headers.get('host') ?? ''))
    return refuse('The server does not listen on this address.');
  const origin = headers.get('origin');
  if (origin !== null && !hosts.some((host) => origin === `http://${host}`))
    return refuse('Requests from other pages are not allowed.');
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none')
    return refuse('Requests from other pages are not allowed.');
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (!['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    return refuse(`${method.slice(0, 20)} is not supported.`);
  if (Number(headers.get('content-length') ?? 0) > LARGEST_BODY) return tooLarge();
  const type = headers.get('content-type');
  if (method === 'DELETE' && type === null) return undefined;
  if (type !== null && /^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(type.trim())) return undefined;
  const fault = new Fault('media-type', 'Send `content-type: application/json`.');
  return problemResponse(problemOf(fault));
}

export function tooLarge(): Response {
  const fault = new Fault('too-large', `A request can have at most ${LARGEST_BODY} bytes.`);
  return problemResponse(problemOf(fault));
}

function refuse(message: string): Response {
  return problemResponse(problemOf(new Fault('forbidden', message)));
}

/** `127.0.0.1:4737`, as a browser writes it. */
export function hostsOf({ port }: Pick<Gate, 'port'>): string[] {
  const end = port === 80 ? '' : `:${port}`;
  return [`127.0.0.1${end}`, `localhost${end}`];
}

/**
 * The token in the address becomes a cookie and a key, and leaves the address bar. Only for pages: programs send it as
 * Bearer. The key comes behind `#`, which only a page of this very port can read.
 */
function exchange(request: Request, gate: Gate): Response | undefined {
  const url = new URL(request.url);
  const token = url.searchParams.get('token');
  if (token === null || request.method !== 'GET' || url.pathname.startsWith('/api/')) return undefined;
  if (!isSameSecret(token, gate.token) && !gate.takeTicket(token)) return undefined;
  url.searchParams.delete('token');
  const cookie = `${cookieName(gate)}=${gate.cookie}; Path=/; HttpOnly; SameSite=Strict`;
  // A path with two slashes in front would name another host.
  const place = `/${url.pathname.replace(/^[/\\]+/, '')}${url.search}#${KEY_SIGN}${gate.key}`;
  return new Response(null, { status: 303, headers: { location: place, 'set-cookie': cookie } });
}

function isKnown(request: Request, gate: Gate): boolean {
  return request.headers.has('authorization') ? isProgram(request, gate) : hasCookie(request, gate);
}

function isProgram({ headers }: Request, gate: Gate): boolean {
  const [, bearer] = /^Bearer ([\w-]{1,100})$/i.exec(headers.get('authorization') ?? '') ?? [];
  return bearer !== undefined && isSameSecret(bearer, gate.token);
}

function hasCookie({ headers }: Request, gate: Gate): boolean {
  const name = cookieName(gate);
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=');
    if (key === name && isSameSecret(value, gate.cookie)) return true;
  }
  return false;
}

function strangerAnswer(request: Request): Response {
  const isPage = !new URL(request.url).pathname.startsWith('/api/');
  if (!isPage) return problemResponse(problemOf(noToken()));
  return new Response(STRANGER_PAGE, {
    status: 401,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

function noToken(): Fault {
  return new Fault('unauthorized', 'The token is missing or wrong.', {
    hint: '`keepsake ui` prints the address with its token; programs send it as `Authorization: Bearer TOKEN`.',
  });
}
