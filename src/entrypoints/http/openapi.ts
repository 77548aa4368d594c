import { z } from 'zod';
import type { Reads } from '../../app/reads.ts';
import { KEY_HEADER } from './page-key.ts';
import { paramAbout, paramSchema } from './params.ts';
import { problemSchema } from './problem.ts';
import type { Route } from './route.ts';
import { jobSchema } from './schemas/job.ts';

type Json = { [key: string]: unknown };

/** What a route group is called and about, and what its routes read. */
export type Group = { name: string; about: string; reads?: Reads; routes: readonly Route[] };

const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** The OpenAPI 3.1 document of all routes, made from the schemas that check their requests. */
export function openApi(groups: readonly Group[], version: string): Json {
  const schemas: Json = Object.create(null);
  const shape = (schema: z.ZodType) => hoisted(schema, schemas);
  shape(problemSchema);
  shape(jobSchema);
  const paths: Record<string, Json> = Object.create(null);
  for (const { name, routes } of groups)
    for (const route of routes)
      paths[route.path] = { ...paths[route.path], [route.method]: operation(route, name, shape) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keepsake',
      version,
      summary: 'Long-term memory for coding agents.',
      description:
        'On this machine only. Programs send `Authorization: Bearer TOKEN`; `keepsake serve` prints the token. ' +
        'Lists are paginated: send `next` of a page as `after` to get the following page.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { cookie: [], key: [] }],
    tags: groups.map(({ name, about }) => ({ name, description: about })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'keepsake-PORT' },
        key: { type: 'apiKey', in: 'header', name: KEY_HEADER },
      },
    },
  };
}

function operation(route: Route, tag: string, shape: (schema: z.ZodType) => Json): Json {
  const { method, path, about, body } = route;
  const headers = headerParams(route);
  return {
    operationId: `${method} ${path}`
      .replace('/api/memory', '')
      .replace(/[{}]/g, '')
      .replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string = '') => next.toUpperCase()),
    tags: [tag],
    summary: about,
    parameters: [...pathParams(path, shape), ...queryParams(route, shape), ...headers],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: shape(body) } } } }),
    responses: responses(route, shape),
  };
}

function pathParams(path: string, shape: (schema: z.ZodType) => Json): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: paramAbout(name),
    schema: shape(paramSchema(name)),
  }));
}

function queryParams({ query }: Route, shape: (schema: z.ZodType) => Json): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = shape(query) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as Json;
    const about = description === undefined ? {} : { description };
    return { name, in: 'query', required: required.includes(name), ...about, schema: rest };
  });
}

function headerParams({ long, current, method, downloads }: Route): Json[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  return [
    ...(long ? [header('Prefer', '`respond-async`: answers 202 with a job to follow')] : []),
    ...(method === 'post'
      ? [header('Idempotency-Key', 'a key for safe retries: a repeated request is not executed again')]
      : []),
    ...(current ? [header('If-Match', 'the ETag you read; 412 if it has changed since')] : []),
    ...(method === 'get' && !downloads
      ? [header('If-None-Match', 'an ETag; 304 if nothing has changed')]
      : []),
  ];
}

function responses(route: Route, shape: (schema: z.ZodType) => Json): Json {
  const content = route.downloads
    ? Object.fromEntries(route.downloads.map((type) => [type, { schema: { type: 'string' } }]))
    : { 'application/json': { schema: shape(route.answer ?? z.unknown()) } };
  const etag = { ETag: { schema: { type: 'string' } } };
  return {
    ...(mayMakeNothing(route) ? { 200: { description: 'done; nothing was created', content } } : {}),
    [String(route.status ?? 200)]: {
      description: 'done',
      ...(route.downloads || route.method !== 'get' ? {} : { headers: etag }),
      content,
    },
    ...(route.long
      ? {
          202: {
            description: 'accepted; follow the job',
            headers: { Location: { schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Job' } } },
          },
        }
      : {}),
    ...(route.method === 'get' && !route.downloads ? { 304: { description: 'not changed' } } : {}),
    default: { description: 'a problem, RFC 9457', content: PROBLEM },
  };
}

/** A preview, or work that had nothing to do. */
function mayMakeNothing({ status, makes, body }: Route): boolean {
  const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
  return status === 201 && (makes !== undefined || fields.includes('dryRun') || fields.includes('preview'));
}

/** Schemas with an id of their own appear once, among the components. */
function hoisted(schema: z.ZodType, schemas: Json): Json {
  const {
    $schema: _,
    $defs,
    id,
    ...rest
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const { id: __, ...own } = moved(definition) as Json;
    schemas[name] ??= own;
  }
  const made = moved(rest) as Json;
  if (typeof id !== 'string') return made;
  schemas[id] ??= made;
  return { $ref: `#/components/schemas/${id}` };
}

function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === '$ref' && typeof item === 'string'
        ? [key, item.replace('#/$defs/', '#/components/schemas/')]
        : [key, moved(item)],
    ),
  );
}
