import { Fault } from '../../core/model/fault.ts';
import type { JoinRequest, RemoteStore, StoreAuthor } from '../../ports/remotes.ts';
import { hubAdmin } from './hub-admin.ts';

/** Where the token of a hub is kept, by the hub's address. */
export type HubTokens = {
  read(address: string): Promise<string | undefined>;
  write(address: string, token: string): Promise<void>;
};

const ANSWER_MS = 60_000;
/** Timeout of the first call of a sync; after it the hub counts as not reached. */
const LIST_MS = 10_000;
const MOST_TRIES = 4;
const [UNAUTHORIZED, FORBIDDEN, NOT_FOUND, GONE, TOO_MANY] = [401, 403, 404, 410, 429];

type Sent = {
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  body?: Uint8Array | string;
  json?: boolean;
  /** Statuses that are an answer, too. */
  allowed?: readonly number[];
  longestMs?: number;
  /** Instead of the stored token. */
  bearer?: string | undefined;
};

/** `https://host`: a server that knows its members. Over plain HTTP only on this machine. */
export function hubStore(address: string, tokens: HubTokens): RemoteStore {
  const base = baseOf(address);
  const token = async (): Promise<string> => {
    const found = await tokens.read(base);
    if (found !== undefined) return found;
    throw new Fault('config', `No token for ${base}.`, {
      hint: 'Ask an admin of the hub for an invitation: keepsake remote add ADDRESS --invite CODE',
    });
  };

  const ask = async (path: string, sent: Sent = {}): Promise<Response> => {
    const { method = 'GET', body, json, allowed = [], longestMs = ANSWER_MS } = sent;
    const headers: Record<string, string> = {};
    const bearer = 'bearer' in sent ? sent.bearer : await token();
    if (bearer !== undefined) headers.authorization = `Bearer ${bearer}`;
    if (body !== undefined) headers['content-type'] = json ? 'application/json' : 'application/octet-stream';
    for (let tries = 1; ; tries++) {
      const answer = await attemptOnce(`${base}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
        longestMs,
      });
      if (answer instanceof Response && (answer.ok || allowed.includes(answer.status))) return answer;
      const isPassing =
        answer instanceof Response ? answer.status >= 500 || answer.status === TOO_MANY : answer.isBroken;
      if (isPassing && tries < MOST_TRIES) {
        await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** tries));
        continue;
      }
      throw await faultFor(base, answer);
    }
  };
  const place = (name: string) => `/v1/${name}`;

  return {
    isOwnOnly: true,
    prepare: async () => {
      await ask('/v1/me', { longestMs: LIST_MS });
    },
    list: async (prefix) => {
      const answer = await ask(`/v1/names?prefix=${encodeURIComponent(prefix)}`, { longestMs: LIST_MS });
      const { items } = (await answer.json()) as { items: [string, number][] };
      return items.map(([name, bytes]) => ({ name: String(name), bytes: Number(bytes) }));
    },
    get: async (name) => {
      const answer = await ask(place(name), { allowed: [NOT_FOUND] });
      return answer.status === NOT_FOUND ? undefined : Buffer.from(await answer.arrayBuffer());
    },
    put: async (name, bytes) => {
      // An admin deleted it there: it must not come back.
      await ask(place(name), { method: 'PUT', body: bytes, allowed: [GONE] });
    },
    remove: async (name) => {
      await ask(place(name), { method: 'DELETE', allowed: [NOT_FOUND] });
    },
    flush: async () => {},
    traits: async () => ({
      deletes: 'at once',
      notes: [
        'The operator of this hub can read what you share there. Colleagues see what their roles allow.',
        'Backups of its database contain data that was purged later, until the backups are deleted.',
      ],
    }),
    join: async ({ invitation, publicKey, deviceName, prove }: JoinRequest) => {
      const known = invitation === undefined ? await tokens.read(base) : undefined;
      const secret = invitation ?? known;
      if (secret === undefined)
        throw new Fault('usage', `${base} needs an invitation.`, {
          hint: 'Ask an admin of the hub for one: keepsake remote add ADDRESS --invite CODE',
        });
      const claim = { publicKey, deviceName, proof: prove(secret).toString('base64') };
      const body = JSON.stringify(invitation === undefined ? claim : { ...claim, invitation });
      const path = invitation === undefined ? '/v1/devices' : '/v1/join';
      const answer = await ask(path, { method: 'POST', body, json: true, bearer: known });
      const joined = (await answer.json()) as { member: string; token: string; key: string };
      await tokens.write(base, joined.token);
      return { member: joined.member, key: joined.key };
    },
    members: hubAdmin(async (path, { method, body }) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body), json: true };
      return (await ask(path, { method, ...sent })).json();
    }),
    mayReview: async (repo) => {
      // Without a role there: perhaps nobody has one, and who sends first is its admin.
      const answer = await ask(`/v1/r/${repo}/role`, { longestMs: LIST_MS, allowed: [FORBIDDEN, NOT_FOUND] });
      if (!answer.ok) return true;
      return ((await answer.json()) as { mayReview: boolean }).mayReview === true;
    },
    authors: async (repo) => {
      // Without a role there, or before anything was sent: nobody is known.
      const answer = await ask(`/v1/r/${repo}/authors`, { longestMs: LIST_MS, allowed: [FORBIDDEN] });
      if (answer.status === FORBIDDEN) return [];
      return ((await answer.json()) as { items: StoreAuthor[] }).items;
    },
  };
}

type Unanswered = { isBroken: boolean; why: string };

async function attemptOnce(
  url: string,
  { longestMs, ...init }: RequestInit & { longestMs: number },
): Promise<Response | Unanswered> {
  try {
    const { status, headers, body } = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(longestMs),
    });
    // Read here: an answer that stops in its middle is none.
    const bytes = await new Response(body).arrayBuffer();
    return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
  } catch (error) {
    const { cause, name, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const code = cause?.code ?? name;
    return { isBroken: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code), why: code || message };
  }
}

async function faultFor(base: string, answer: Response | Unanswered): Promise<Fault> {
  if (!(answer instanceof Response))
    return new Fault('remote', `${base} did not answer (${answer.why}).`, {
      hint: 'Check the address and the network. Nothing is lost: the next sync continues.',
    });
  const problem = (await answer.json().catch(() => ({}))) as { detail?: string; hint?: string };
  const why = typeof problem.detail === 'string' ? problem.detail.slice(0, 300) : `status ${answer.status}`;
  const hint = typeof problem.hint === 'string' ? problem.hint.slice(0, 300) : undefined;
  if (answer.status === UNAUTHORIZED)
    return new Fault('unauthorized', `${base} refuses: ${why}`, hint === undefined ? {} : { hint });
  return new Fault('remote', `${base} refuses: ${why}`, {
    hint: hint ?? 'Check the address and your role. Nothing is lost: the next sync continues.',
  });
}

function baseOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.search !== '' || url.hash !== '' || url.username !== '')
    throw new Fault('usage', `${address} is not a hub address.`, {
      hint: 'Give one such as https://hub.example.com',
    });
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !isHere)
    throw new Fault(
      'usage',
      `${address} would send your memory and your token unencrypted over the network.`,
      {
        hint: 'Use https://.',
      },
    );
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
