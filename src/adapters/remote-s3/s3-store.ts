import { AwsClient } from 'aws4fetch';
import { Fault } from '../../core/model/fault.ts';
import type { RemoteStore, StoredName } from '../../ports/remotes.ts';

export type S3Access = {
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
  sessionToken?: string | undefined;
  region?: string | undefined;
  /** Where it is not Amazon's: R2, B2, MinIO and others. */
  endpoint?: string | undefined;
};

const ANSWER_MS = 60_000;
/** Timeout of the first call of a sync; after it the store counts as not reached. */
const LIST_MS = 10_000;
/** A connection that broke; one that never was is not tried again at once. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const MOST_TRIES = 4;
const PAGES = 10_000;
const NAME = /^r\/[A-Za-z0-9/_-]{1,400}$/;

/** `s3://bucket/prefix?endpoint=https://host&region=auto`. Keys come from the environment and are stored nowhere. */
export function s3Store(address: string, access: S3Access): RemoteStore {
  const { bucket, prefix, base, region } = placeOf(address, access);
  const { accessKeyId, secretAccessKey, sessionToken } = access;
  const client = () => {
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new Fault('config', `${address} needs keys.`, {
        hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; Keepsake does not store them.',
      });
    const session = sessionToken === undefined ? {} : { sessionToken };
    return new AwsClient({ accessKeyId, secretAccessKey, ...session, service: 's3', region, retries: 0 });
  };
  const url = (name: string) =>
    `${base}/${[...prefix, ...name.split('/')].map(encodeURIComponent).join('/')}`;

  const ask = async (
    target: string,
    init: RequestInit,
    allowed: readonly number[] = [],
    longestMs = ANSWER_MS,
  ): Promise<Response> => {
    for (let tries = 1; ; tries++) {
      const answer = await attempt(() =>
        within(longestMs, async (signal) => {
          const { status, headers, body } = await client().fetch(target, { ...init, signal });
          // Read here: an answer that stops in its middle is none.
          const bytes = await new Response(body).arrayBuffer();
          return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
        }),
      );
      if (answer instanceof Response && (answer.ok || allowed.includes(answer.status))) return answer;
      const isPassing =
        answer instanceof Response ? answer.status >= 500 || answer.status === 429 : BROKEN.has(answer);
      if (isPassing && tries < MOST_TRIES) {
        await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** tries));
        continue;
      }
      const why = answer instanceof Response ? await reasonOf(answer) : answer;
      throw new Fault('remote', `${bucket} gave an unexpected answer: ${why}.`, {
        hint: 'Check the address, the keys and the region. Nothing is lost: the next sync continues.',
      });
    }
  };

  return {
    prepare: async () => {
      const probe = url('keepsake-probe');
      await ask(probe, { method: 'PUT', body: 'keepsake' });
      await ask(probe, { method: 'DELETE' }, [404]);
    },
    list: async (wanted) => {
      const found: StoredName[] = [];
      const start = [...prefix, ''].join('/');
      let token: string | undefined;
      for (let page = 0; page < PAGES; page++) {
        const query = new URLSearchParams({
          'list-type': '2',
          prefix: start + wanted,
          'encoding-type': 'url',
        });
        if (token !== undefined) query.set('continuation-token', token);
        const text = await (await ask(`${base}?${query}`, { method: 'GET' }, [], LIST_MS)).text();
        for (const { key, bytes } of contentsOf(text)) {
          const name = key.startsWith(start) ? key.slice(start.length) : '';
          if (NAME.test(name)) found.push({ name, bytes });
        }
        token = /<IsTruncated>true</.test(text) ? textOf(text, 'NextContinuationToken') : undefined;
        if (token === undefined) break;
      }
      return found.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    get: async (name) => {
      const answer = await ask(url(name), { method: 'GET' }, [404]);
      return answer.status === 404 ? undefined : Buffer.from(await answer.arrayBuffer());
    },
    put: async (name, bytes) => {
      await ask(url(name), {
        method: 'PUT',
        body: Buffer.from(bytes),
        headers: { 'content-type': 'application/octet-stream' },
      });
    },
    remove: async (name) => {
      await ask(url(name), { method: 'DELETE' }, [404]);
    },
    flush: async () => {},
    traits: async () => {
      const isVersioned = await ask(`${base}?versioning`, { method: 'GET' }, [400, 403, 404, 405, 501]);
      const state = isVersioned.ok ? await isVersioned.text() : '';
      const keeps = /<Status>Enabled</.test(state);
      return {
        deletes: keeps ? 'later' : 'at once',
        notes: keeps
          ? ['The bucket keeps old versions: purged data stays there until a lifecycle rule deletes them.']
          : [],
      };
    },
  };
}

function placeOf(address: string, { region, endpoint }: S3Access) {
  const parsed = URL.parse(address);
  const bucket = parsed?.hostname ?? '';
  if (!parsed || !/^[a-z0-9][a-z0-9.-]{1,62}$/.test(bucket))
    throw new Fault('usage', `${address} names no bucket.`, { hint: 'Write it as s3://bucket/prefix' });
  const zone = parsed.searchParams.get('region') ?? region ?? 'us-east-1';
  const host = parsed.searchParams.get('endpoint') ?? endpoint ?? `https://s3.${zone}.amazonaws.com`;
  return {
    bucket,
    prefix: parsed.pathname.split('/').filter(Boolean).map(decodeURIComponent),
    base: `${host.replace(/\/+$/, '')}/${bucket}`,
    region: zone,
  };
}

/** By a timer of its own: a signal that only a request refers to may be collected before it fires. */
async function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer in ${ms / 1000} s`));
      controller.abort();
    }, ms);
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function attempt(work: () => Promise<Response>): Promise<Response | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw error;
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    return cause ?? (error as Error).message;
  }
}

async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.text();
  return `${answer.status} ${textOf(text, 'Code') ?? ''} ${textOf(text, 'Message') ?? ''}`
    .trim()
    .slice(0, 200);
}

function contentsOf(xml: string): { key: string; bytes: number }[] {
  return [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    key: decodeKey(textOf(entry, 'Key') ?? ''),
    bytes: Number(textOf(entry, 'Size') ?? 0),
  }));
}

/** Keys come percent-encoded where the server knows how. */
function decodeKey(key: string): string {
  return /%[0-9A-F]{2}/i.test(key) ? decodeURIComponent(key.replaceAll('+', ' ')) : key;
}

function textOf(xml: string, tag: string): string | undefined {
  const found = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];
  return found
    ?.replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
