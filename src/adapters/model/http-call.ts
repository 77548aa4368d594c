import type { ModelAnswer, ModelProbe } from '../../ports/model.ts';
import { at, readObject, textAt } from './event-stream.ts';

export type Failed = Extract<ModelAnswer, { kind: 'failed' }>;

export type HttpCall = {
  url: string;
  headers: Record<string, string>;
  /** Undefined: a GET. */
  body?: unknown;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Never shown to anyone. */
  key: string;
};

const LONGEST_MESSAGE = 300;

/**
 * One request. `read` gets the response if its status is good, and calls `alive` whenever data arrives. If nothing arrives for
 * the set time, the call is ended.
 */
export async function httpCall<T>(
  call: HttpCall,
  read: (response: Response, alive: () => void) => Promise<T>,
): Promise<T | Failed> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), call.timeoutMs);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), call.timeoutMs);
  };
  const signal = call.signal ? AbortSignal.any([call.signal, silence.signal]) : silence.signal;
  let sent = false;
  try {
    const response = await fetch(call.url, {
      method: call.body === undefined ? 'GET' : 'POST',
      headers: call.headers,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // A key must not follow to another place.
      redirect: 'error',
      signal,
    });
    sent = true;
    alive();
    if (!response.ok) return await refusal(call, response);
    return await read(response, alive);
  } catch (cause) {
    return broken(call, cause, silence.signal.aborted, sent);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks for the list of models that a server has; both kinds of server list them alike. */
export async function probeModels(call: HttpCall): Promise<ModelProbe> {
  const found = await httpCall(call, (response) => response.text());
  if (typeof found !== 'string') return { reached: false, message: found.message, models: [] };
  const list = at(readObject(found), 'data');
  const models = Array.isArray(list) ? list.map((it) => textAt(it, 'id')).filter(Boolean) : [];
  return { reached: true, message: `${new URL(call.url).host} answers.`, models };
}

/** What a status means. Providers answer 529 when they are overloaded. */
async function refusal(call: HttpCall, response: Response): Promise<Failed> {
  const text = await response.text().catch(() => '');
  const words = errorMessage(text, call.key);
  const { status } = response;
  const place = new URL(call.url).host;
  const suffix = words === '' ? '.' : `: ${words}`;
  const failed = (why: Failed['why'], message: string, again = false): Failed => ({
    kind: 'failed',
    why,
    message: `${message}${suffix}`,
    again,
    usage: 'nothing',
  });
  if (status === 401 || status === 403) return failed('key', `${place} does not accept the key (${status})`);
  if (status === 404) return failed('model', `${place} does not know this model or URL (404)`);
  if (status === 429 || status === 408 || status >= 500) {
    const wait = waitOf(response.headers.get('retry-after'));
    const busy = failed('busy', `${place} is overloaded (${status})`, true);
    return wait === undefined ? busy : { ...busy, waitMs: wait };
  }
  return failed('rejected', `${place} rejected the request (${status})`);
}

function broken({ url, signal }: HttpCall, cause: unknown, silent: boolean, sent: boolean): Failed {
  const place = new URL(url).host;
  if (signal?.aborted) return { kind: 'failed', why: 'stopped', message: 'Stopped.', again: false };
  if (silent) return { kind: 'failed', why: 'broken', message: `${place} stopped responding.`, again: true };
  if (sent)
    return { kind: 'failed', why: 'broken', message: `The answer of ${place} was interrupted.`, again: true };
  const code = codeOf(cause);
  // Nobody listens there: that does not change by asking again.
  const again = !['ECONNREFUSED', 'ENOTFOUND', 'ERR_INVALID_URL', 'CERT_HAS_EXPIRED'].includes(code);
  const message = `${place} can't be reached${code === '' ? '' : ` (${code})`}.`;
  return { kind: 'failed', why: 'unreachable', message, again, usage: 'nothing' };
}

function codeOf(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause)
    if ('code' in error && typeof error.code === 'string') return error.code;
  return cause instanceof Error && /redirect/i.test(`${cause.message} ${String(cause.cause)}`)
    ? 'redirect'
    : '';
}

/** The service's own words, short, and without the key. */
function errorMessage(text: string, key: string): string {
  const object = readObject(text);
  const words = textAt(object, 'error', 'message') || textAt(object, 'message') || textAt(object, 'error');
  const plain = (key === '' ? words : words.replaceAll(key, '***')).replace(/\s+/g, ' ').trim();
  return plain.length > LONGEST_MESSAGE ? `${plain.slice(0, LONGEST_MESSAGE)}…` : plain;
}

function waitOf(header: string | null): number | undefined {
  const seconds = header === null || header.trim() === '' ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1000) : undefined;
}

/** A stream that ended before it said so. */
export function cutOff(place: string, usage?: { input: number; output: number }): Failed {
  const failed = { kind: 'failed', why: 'broken', again: true } as const;
  const message = `The answer of ${place} was interrupted.`;
  return usage ? { ...failed, message, usage } : { ...failed, message };
}
