import { z } from 'zod';
import { Fault } from '../../core/model/fault.ts';
import { LARGEST_BODY } from './guard.ts';
import { paramSchema } from './params.ts';
import type { Problem } from './problem.ts';
import type { Route } from './route.ts';

/** A request that its route's schemas do not take. */
export class WrongRequest extends Fault {
  readonly errors: NonNullable<Problem['errors']>;

  constructor(errors: NonNullable<Problem['errors']>) {
    const [first] = errors;
    super('usage', `${first?.at ?? 'request'}: ${first?.message ?? 'not valid'}`, {
      hint: 'See this route in /api/docs.',
    });
    this.errors = errors;
  }
}

export type Read = { params: Record<string, string>; query: unknown; body: unknown };

/** Parameters, query and body as the route's schemas have them. */
export async function readCall(
  route: Route,
  request: Request,
  params: Record<string, string>,
): Promise<Read> {
  const errors: NonNullable<Problem['errors']> = [];
  const check = (at: string, schema: z.ZodType, value: unknown): unknown => {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    for (const issue of read.error.issues.slice(0, 20)) {
      const place = [at, ...issue.path.map((part) => String(part).slice(0, 80))].join('.');
      errors.push({ at: place, message: issue.message.slice(0, 300) });
    }
    return undefined;
  };
  const names = Object.keys(params);
  const read = Object.create(null) as Record<string, string>;
  for (const name of names) read[name] = check(`path.${name}`, paramSchema(name), params[name]) as string;
  const query = check('query', route.query ?? NO_QUERY, queryOf(request.url));
  const body =
    route.body === undefined
      ? await noBody(route, request)
      : check('body', route.body, await readJson(request));
  if (errors.length > 0) throw new WrongRequest(errors);
  return { params: read, query, body };
}

const NO_QUERY = z.strictObject({});

/** A name that comes twice is a list. */
function queryOf(url: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const [name, value] of new URL(url).searchParams) {
    const before = Object.hasOwn(values, name) ? values[name] : undefined;
    const all = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
    Object.defineProperty(values, name, { value: all, enumerable: true, configurable: true, writable: true });
  }
  return values;
}

async function noBody(route: Route, request: Request): Promise<undefined> {
  if (route.method === 'get') return undefined;
  const text = await readText(request);
  if (text.trim() !== '' && text.trim() !== '{}') {
    parseJson(text);
    throw new WrongRequest([{ at: 'body', message: 'this route accepts no body' }]);
  }
  return undefined;
}

async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  return text.trim() === '' ? {} : parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongRequest([{ at: 'body', message: 'not JSON' }]);
  }
}

/** Stops reading at the limit, whatever was announced. */
async function readText(request: Request): Promise<string> {
  if (!request.body) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const stream = request.body as unknown as AsyncIterable<Uint8Array>;
  try {
    for await (const part of stream) {
      bytes += part.length;
      if (bytes > LARGEST_BODY) break;
      parts.push(part);
    }
  } catch (cause) {
    throw new Fault('cancelled', 'The request was interrupted.', { cause });
  }
  if (bytes > LARGEST_BODY) throw new Fault('too-large', `A request can have at most ${LARGEST_BODY} bytes.`);
  const whole = Buffer.concat(parts);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(whole);
  } catch {
    throw new WrongRequest([{ at: 'body', message: 'not UTF-8' }]);
  }
}
