import { expect } from 'vitest';
import type { Api } from '../../src/entrypoints/http/api-types.ts';
import { makeApp } from '../../src/entrypoints/http/app.ts';
import { type Gate, makeGate } from '../../src/entrypoints/http/gate.ts';
import { GROUPS } from '../../src/entrypoints/http/groups.ts';
import type { Problem } from '../../src/entrypoints/http/problem.ts';
import type { Route } from '../../src/entrypoints/http/route.ts';
import { schemaErrors } from './json-schema.ts';
import type { TestWorld } from './world.ts';

export type Sent = {
  body?: unknown;
  raw?: string | Uint8Array | ReadableStream<Uint8Array>;
  headers?: Record<string, string | null>;
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
type Told = { content?: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  parameters: { name: string; in: string }[];
  responses: Record<string, Told>;
};
export type Document = {
  openapi: string;
  info: Schema;
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};

export const ROUTES = (GROUPS as readonly { routes: readonly Route[] }[]).flatMap(({ routes }) => [
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
  #document: Document | undefined;

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

  /** As it comes, unchecked. A header that is null is left out. */
  async send(method: string, path: string, { body, raw, headers = {} }: Sent = {}): Promise<Response> {
    const usual: Record<string, string | null> = {
      host: '127.0.0.1:4737',
      authorization: `Bearer ${this.gate.token}`,
      ...(method === 'get' || (method === 'delete' && body === undefined && raw === undefined)
        ? {}
        : { 'content-type': 'application/json' }),
      ...headers,
    };
    const given = Object.entries(usual).filter((it): it is [string, string] => it[1] !== null);
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = new Request(`http://127.0.0.1:4737${path}`, {
      method: method.toUpperCase(),
      headers: given,
      ...(payload === undefined || method === 'get' ? {} : { body: payload, duplex: 'half' }),
    } as RequestInit);
    return this.#app.app.fetch(request);
  }

  async document(): Promise<Document> {
    this.#document ??= (await (await this.send('get', '/api/openapi.json')).json()) as Document;
    return this.#document;
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
    const misfits = await this.misfits(route, response.status, type, json);
    expect(misfits, `${name} ${text.slice(0, 300)}`).toEqual([]);
    if (response.ok) this.answered.add(name);
    const { status, headers } = response;
    return { status, headers, json: json as Api[N]['answer'], problem: json as Problem, text };
  }

  /** What of an answer the document does not say. */
  async misfits(route: Route, status: number, type: string, json: unknown): Promise<string[]> {
    const document = await this.document();
    const { responses } = document.paths[route.path]![route.method]!;
    const told = responses[String(status)] ?? (status >= 400 ? responses.default : undefined);
    if (!told) return [`${status} is not documented`];
    if (!told.content) return [];
    const content = told.content[type.split(';')[0] ?? ''];
    if (!content) return [`${type} is not documented for ${status}`];
    return /json$/.test(type) ? schemaErrors(json, content.schema, document) : [];
  }
}
