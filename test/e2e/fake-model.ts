import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Block = { type: string; text?: string; content?: unknown; tool_use_id?: string };
type Message = { role: string; content: string | Block[] };
export type ModelRequest = {
  messages: Message[];
  tools?: { name: string }[];
  stream?: boolean;
  system?: unknown;
};

/**
 * A model on loopback that answers as it is told: `CALL:Tool:{...}:END` in the last prompt makes it call that tool (by the
 * end of its name), anything else gets a short answer. Keeps every request.
 */
export class FakeModel {
  readonly requests: ModelRequest[] = [];
  readonly #server: Server;
  #count = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<FakeModel> {
    const model: FakeModel = new FakeModel(
      createServer((request, response) => {
        let body = '';
        request.on('data', (bytes: Buffer) => {
          body += bytes.toString('utf8');
        });
        request.on('end', () => {
          const path = (request.url ?? '').split('?')[0] ?? '';
          response.setHeader('content-type', 'application/json');
          if (path.endsWith('/count_tokens')) response.end('{"input_tokens":100}');
          else if (!path.endsWith('/v1/messages')) response.end('{"data":[],"has_more":false}');
          else {
            const asked = JSON.parse(body) as ModelRequest;
            model.requests.push(asked);
            model.#answer(asked, (stream, text) => {
              if (stream) response.setHeader('content-type', 'text/event-stream');
              response.end(text);
            });
          }
        });
      }),
    );
    await new Promise<void>((done) => model.#server.listen(0, '127.0.0.1', done));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All that the model was given since a request, as one text. */
  seenSince(first: number): string {
    return JSON.stringify(this.requests.slice(first));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer(asked: ModelRequest, send: (stream: boolean, text: string) => void): void {
    const number = ++this.#count;
    const block = blockFor(asked, number);
    const stop = block.type === 'tool_use' ? 'tool_use' : 'end_turn';
    const usage = {
      input_tokens: 100,
      output_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'fake-model-1', usage };
    const ended = { stop_reason: stop, stop_sequence: null };
    if (!asked.stream) {
      send(false, JSON.stringify({ ...message, content: [block], ...ended }));
      return;
    }
    const empty = block.type === 'tool_use' ? { ...block, input: {} } : { type: 'text', text: '' };
    const delta =
      block.type === 'tool_use'
        ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
        : { type: 'text_delta', text: block.text };
    const events: [string, object][] = [
      ['message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null } }],
      ['content_block_start', { index: 0, content_block: empty }],
      ['content_block_delta', { index: 0, delta }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: ended, usage: { output_tokens: 10 } }],
      ['message_stop', {}],
    ];
    send(
      true,
      events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join(''),
    );
  }
}

type Answer =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };

function blockFor({ messages, tools = [] }: ModelRequest, number: number): Answer {
  const last = messages.filter(({ role }) => role === 'user').at(-1);
  const text = textOf(last?.content ?? '');
  const answers = Array.isArray(last?.content) && last.content.some(({ type }) => type === 'tool_result');
  if (/summary of the conversation|TEXT ONLY/i.test(text))
    return { type: 'text', text: '<summary>They talked about lighthouse paint.</summary>' };
  const call = answers ? undefined : /CALL:([\w-]+):(\{.*?\}):END/s.exec(text);
  const name = tools.find((tool) => tool.name.endsWith(call?.[1] ?? '\0'))?.name;
  if (call && name)
    return {
      type: 'tool_use',
      id: `toolu_${number}`,
      name,
      input: JSON.parse(call[2]!) as Record<string, unknown>,
    };
  return { type: 'text', text: `Answer number ${number}.` };
}

function textOf(content: Message['content']): string {
  if (typeof content === 'string') return content;
  return content.map((block) => block.text ?? '').join('\n');
}
