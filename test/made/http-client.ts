import { expect } from 'vitest';
import { FAULTS } from '../../src/core/model/fault.ts';
import type { Api } from '../../src/entrypoints/http/api-types.ts';
import { makeApp } from '../../src/entrypoints/http/app.ts';
import { type Gate, makeGate } from '../../src/entrypoints/http/gate.ts';
import { ROUTE_GROUPS } from '../../src/entrypoints/http/groups.ts';
import type { Problem } from '../../src/entrypoints/http/problem.ts';
import type { Route } from '../../src/entrypoints/http/route.ts';
import { closed, DocumentSchemas } from './json-schema.ts';
import type { TestWorld } from './world.ts';

export type Sent = {
  body?: unknown;
  raw?: string | Uint8Array | ReadableStream<Uint8Array>;
  headers?: Record<string, string | null>;
  signal?: AbortSignal;
};
export type RouteName = keyof Api & string;
export type Answered<N extends RouteName> = {
  status: number;
  headers: Headers;
  json: Api[N]['answer'];
  problem: Problem;
  text: string;
};
type Schema = { [key: string]: unknown };
type DocumentedAnswer = { content?: Record<string, { schema: Schema }>; headers?: Schema };
type Operation = {
  operationId: string;
  parameters: { name: string; in: string }[];
  responses: Record<string, DocumentedAnswer>;
};
export type Document = {
  openapi: string;
  info: Schema;
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};

export const ROUTES = (ROUTE_GROUPS as readonly { routes: readonly Route[] }[]).flatMap(({ routes }) => [
  ...routes,
]);
export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;

/** A client that holds every answer against the document; nothing goes over a network. */
export class HttpClient {
  readonly gate: Gate;
  readonly failures: unknown[] = [];
  /** Routes that answered well. */
  readonly answered = new Set<string>();
  readonly #app: ReturnType<typeof makeApp>;
  #document: Promise<Document> | undefined;
  #schemas: DocumentSchemas | undefined;

  constructor(world: TestWorld) {
    this.gate = makeGate(world.clock.millis);
    this.gate.port = 4737;
    const site = () =>
      new Response('<!doctype html><title>page</title>', { headers: { 'content-type': 'text/html' } });
    const failed = (error: unknown) => this.failures.push(error);
    this.#app = makeApp({ world, gate: this.gate, version: '0.0.0', site, failed });
  }

  get jobs() {
    return this.#app.jobs;
  }

  /** Checked against the document, except for what is no documented way. A header that is null is left out. */
  async send(method: string, path: string, sent: Sent = {}): Promise<Response> {
    const response = await this.#fetch(method, path, sent);
    const { pathname } = new URL(path, 'http://127.0.0.1');
    // A copy of a stream would hold it open.
    const json = /json$/.test(response.headers.get('content-type') ?? '');
    const misfits = await this.misfits(method, pathname, json ? response.clone() : response);
    expect(misfits, `${method} ${path.slice(0, 300)}`).toEqual([]);
    return response;
  }

  async #fetch(
    method: string,
    path: string,
    { body, raw, headers = {}, signal }: Sent = {},
  ): Promise<Response> {
    const usual: Record<string, string | null> = {
      host: '127.0.0.1:4737',
      authorization: `Bearer ${this.gate.token}`,
      ...(method === 'get' || (method === 'delete' && body === undefined && raw === undefined)
        ? {}
        : { 'content-type': 'application/json' }),
      ...headers,
    };
    const set = Object.entries(usual).filter((it): it is [string, string] => it[1] !== null);
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = new Request(`http://127.0.0.1:4737${path}`, {
      method: method.toUpperCase(),
      headers: set,
      ...(payload === undefined || method === 'get' ? {} : { body: payload, duplex: 'half' }),
      ...(signal === undefined ? {} : { signal }),
    } as RequestInit);
    return this.#app.app.fetch(request);
  }

  document(): Promise<Document> {
    this.#document ??= this.#fetch('get', '/api/openapi.json').then((it) => it.json() as Promise<Document>);
    return this.#document;
  }

  async schemas(): Promise<DocumentSchemas> {
    const document = await this.document();
    this.#schemas ??= new DocumentSchemas(closed(document));
    return this.#schemas;
  }

  /** `params` fill the path; the rest becomes the query. */
  async call<N extends RouteName>(
    name: N,
    params: Record<string, string> = {},
    sent: Sent = {},
  ): Promise<Answered<N>> {
    const route = ROUTES.find((it) => nameOf(it) === name);
    if (!route) throw new Error(`no route ${name}`);
    const query = new URLSearchParams();
    let path = route.path;
    for (const [key, value] of Object.entries(params)) {
      if (path.includes(`{${key}}`)) path = path.replace(`{${key}}`, encodeURIComponent(value));
      else query.set(key, value);
    }
    const response = await this.send(route.method, `${path}${query.size > 0 ? `?${query}` : ''}`, sent);
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const json: unknown = /json$/.test(type) ? JSON.parse(text) : {};
    if (response.ok) this.answered.add(name);
    const { status, headers } = response;
    return { status, headers, json: json as Api[N]['answer'], problem: json as Problem, text };
  }

  /** What of an answer the document does not say. */
  async misfits(method: string, pathname: string, response: Response): Promise<string[]> {
    const { paths } = await this.document();
    const place = placeOf(paths, method, pathname);
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (type === 'application/problem+json') return this.#problemMisfits(response);
    if (!place) return [];
    const { responses } = paths[place[1]]![place[2]]!;
    const documented = responses[String(response.status)];
    if (!documented) return [`${response.status} is not documented`];
    const unsaid = Object.keys(documented.headers ?? {}).filter((name) => !response.headers.has(name));
    if (unsaid.length > 0) return [`no ${unsaid.join(', ')}`];
    if (!documented.content) return response.body === null ? [] : ['a body where there is none'];
    if (!documented.content[type]) return [`${type} is not documented for ${response.status}`];
    if (type !== 'application/json') return [];
    const at = [...place, 'responses', String(response.status), 'content', type, 'schema'];
    return (await this.schemas()).errors(await response.json(), at);
  }

  async #problemMisfits(response: Response): Promise<string[]> {
    const problem = (await response.json()) as Problem;
    const errors = (await this.schemas()).errors(problem, ['components', 'schemas', 'Problem']);
    const status = FAULTS[problem.code]?.http;
    const honest = response.status === problem.status && problem.status === status;
    return honest ? errors : [...errors, `${response.status} for ${problem.code}`];
  }
}

/** Where in the document an operation stands; a path without parameters comes first. */
function placeOf(paths: Document['paths'], method: string, pathname: string) {
  const fits = (path: string) =>
    new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
  const found = Object.keys(paths).filter((path) => paths[path]?.[method] && fits(path));
  const path = found.find((it) => it === pathname) ?? found[0];
  return path === undefined ? undefined : (['paths', path, method] as const);
}
