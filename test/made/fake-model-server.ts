import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server was asked, whichever protocol it came by. */
export type Asked = {
  protocol: 'anthropic' | 'openai';
  model: string;
  system: string;
  prompt: string;
  maxTokens: number;
  stream: boolean;
  headers: IncomingHttpHeaders;
  /** The whole body as it came. */
  body: string;
  /** From 1. */
  number: number;
};

export type FakeReply = {
  /** Another status than 200, with its message. */
  status?: number;
  message?: string;
  headers?: Record<string, string>;
  text?: string;
  stop?: 'end' | 'length' | 'refusal';
  /** The connection breaks after so many characters. */
  breakAfter?: number;
  /** The stream ends after so many characters as if all were well, but without saying so. */
  endAfter?: number;
  /** An error inside the stream, after so many characters. */
  errorAfter?: number;
  /** Nothing ever comes. */
  hang?: boolean;
  delayMs?: number;
  /** Nothing comes before this. */
  until?: Promise<void>;
};

type Answerer = (asked: Asked) => FakeReply | string;

const PIECE = 40;

/** A model on loopback that speaks both protocols, streamed and whole, and misbehaves as configured. */
export class FakeModelServer {
  readonly asked: Asked[] = [];
  answer: Answerer = () => 'Well.';
  /** Most requests that were open at the same time. */
  mostAtOnce = 0;
  #open = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (bytes: Buffer) => {
        body += bytes.toString('utf8');
      });
      request.on('end', () => this.#reply(request.url ?? '', request.headers, body, response));
    });
  }

  static async start(answer?: Answerer): Promise<FakeModelServer> {
    const fake = new FakeModelServer();
    if (answer) fake.answer = answer;
    await new Promise<void>((done) => fake.#server.listen(0, '127.0.0.1', done));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #reply(url: string, headers: IncomingHttpHeaders, body: string, response: ServerResponse): void {
    const path = url.split('?')[0] ?? '';
    response.setHeader('content-type', 'application/json');
    if (path === '/v1/models')
      response.end('{"object":"list","data":[{"id":"fake-small"},{"id":"fake-large"}],"has_more":false}');
    else if (path === '/v1/messages' || path === '/v1/chat/completions') {
      const asked = askedOf(path, headers, body, this.asked.length + 1);
      this.asked.push(asked);
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#open);
      response.on('close', () => {
        this.#open--;
      });
      const said = this.answer(asked);
      const reply = typeof said === 'string' ? { text: said } : said;
      const soon = () => setTimeout(() => send(asked, reply, response), reply.delayMs ?? 0);
      if (!reply.hang) void (reply.until ?? Promise.resolve()).then(soon);
    } else response.writeHead(404).end('{"error":{"message":"no such path"}}');
  }
}

function askedOf(path: string, headers: IncomingHttpHeaders, body: string, number: number): Asked {
  const read = JSON.parse(body) as {
    model: string;
    max_tokens: number;
    stream?: boolean;
    system?: unknown;
    messages: { role: string; content: unknown }[];
  };
  const protocol = path === '/v1/messages' ? 'anthropic' : 'openai';
  const of = (role: string) => read.messages.filter((it) => it.role === role).map((it) => plain(it.content));
  return {
    protocol,
    model: read.model,
    system: protocol === 'anthropic' ? plain(read.system) : of('system').join('\n'),
    prompt: of('user').join('\n'),
    maxTokens: read.max_tokens,
    stream: read.stream === true,
    headers,
    body,
    number,
  };
}

function plain(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((it) => String((it as { text?: string }).text ?? '')).join('\n')
    : '';
}

function send(asked: Asked, reply: FakeReply, response: ServerResponse): void {
  if (response.destroyed) return;
  if (reply.status !== undefined && reply.status !== 200) {
    const error = { type: 'error', error: { type: 'fake_error', message: reply.message ?? 'no' } };
    response.writeHead(reply.status, reply.headers ?? {}).end(JSON.stringify(error));
    return;
  }
  const text = reply.text ?? '';
  const parts = asked.protocol === 'anthropic' ? anthropic(asked, text, reply) : openai(asked, text, reply);
  if (!asked.stream) {
    response.end(JSON.stringify(parts.whole));
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const limit = reply.breakAfter ?? reply.endAfter ?? reply.errorAfter;
  for (const event of parts.head) response.write(event);
  for (let from = 0; from < Math.min(text.length, limit ?? text.length); from += PIECE)
    response.write(parts.piece(text.slice(from, Math.min(from + PIECE, limit ?? text.length))));
  if (reply.breakAfter !== undefined) setTimeout(() => response.destroy(), 5);
  else if (reply.endAfter !== undefined) response.end();
  else if (reply.errorAfter !== undefined) response.end(parts.error);
  else response.end(parts.tail.join(''));
}

type Parts = {
  whole: unknown;
  head: string[];
  piece: (text: string) => string;
  tail: string[];
  error: string;
};

function anthropic(asked: Asked, text: string, reply: FakeReply): Parts {
  const stop = { end: 'end_turn', length: 'max_tokens', refusal: 'refusal' }[reply.stop ?? 'end'];
  const usage = { input_tokens: tokens(asked.system + asked.prompt), output_tokens: tokens(text) };
  const message = { id: `msg_${asked.number}`, type: 'message', role: 'assistant', model: asked.model };
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  return {
    whole: { ...message, usage, content: [{ type: 'text', text }], stop_reason: stop, stop_sequence: null },
    head: [
      event('message_start', {
        message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('ping', {}),
    ],
    piece: (piece) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } }),
    tail: [
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: usage.output_tokens },
      }),
      event('message_stop', {}),
    ],
    error: event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
  };
}

function openai(asked: Asked, text: string, reply: FakeReply): Parts {
  const stop = { end: 'stop', length: 'length', refusal: 'content_filter' }[reply.stop ?? 'end'];
  const usage = { prompt_tokens: tokens(asked.system + asked.prompt), completion_tokens: tokens(text) };
  const chunk = (data: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...data })}\n\n`;
  return {
    whole: {
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: stop }],
      usage,
    },
    head: [
      chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
    ],
    piece: (piece) => chunk({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] }),
    tail: [
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: stop }] }),
      chunk({ choices: [], usage }),
      'data: [DONE]\n\n',
    ],
    error: chunk({ error: { message: 'Overloaded' } }),
  };
}

/** What the fake charges: four characters a token. */
export function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}
