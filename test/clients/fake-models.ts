import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatCompletion, geminiAnswer, messagesAnswer, responsesAnswer, type Wire } from './fake-answers.ts';
import { askedOf, type Json } from './fake-asks.ts';

/** What was asked of the model, and what it answered. */
export type Told = { prompt: string; answer: string } | { prompt: string; command: string };

/**
 * A model on loopback that speaks the protocols of OpenAI (responses, chat completions), Anthropic and Gemini. `RUN:x:END` in
 * a prompt makes it run that command by whatever tool the client offers for it; anything else gets a short answer.
 */
export class FakeModels {
  readonly told: Told[] = [];
  /** What clients sent, as it came. */
  readonly asked: string[] = [];
  /** Done once, before the next answer to its user: the client waits meanwhile. */
  meanwhile: (() => Promise<void>) | undefined;
  /** When that is done. */
  done: Promise<void> | undefined;
  /** The command of a prompt is run again and again until these words are sent with it, or it was run often enough. */
  awaited: { words: string; runs: number } | undefined;
  /** Paths that nobody answers here. */
  readonly unanswered = new Set<string>();
  readonly #server: Server;
  #count = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<FakeModels> {
    const services: FakeModels = new FakeModels(
      createServer((request, response) => {
        const bytes: Buffer[] = [];
        request.on('data', (some: Buffer) => bytes.push(some));
        request.on(
          'end',
          () => void services.#answer(request, Buffer.concat(bytes).toString('utf8'), response),
        );
      }),
    );
    await new Promise<void>((done) => services.#server.listen(0, '127.0.0.1', done));
    return services;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #isAwaiting(body: string): boolean {
    const { awaited } = this;
    return awaited !== undefined && awaited.runs-- > 0 && !body.includes(awaited.words);
  }

  async #whileWaiting(): Promise<void> {
    const { meanwhile } = this;
    this.meanwhile = undefined;
    if (meanwhile) this.done = meanwhile();
    await this.done;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    this.asked.push(body);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const answer = ANSWERS.find(([end]) => end.test(path))?.[1];
    if (!answer) {
      this.#other(path, response);
      return;
    }
    const json = JSON.parse(body || '{}') as Json;
    const asked = askedOf(json, this.#isAwaiting(body));
    if (!asked.isAside) await this.#whileWaiting();
    const number = ++this.#count;
    const text = asked.isAside ? 'A title' : `Answer ${number} to ${asked.prompt.slice(0, 40)}`;
    if (!asked.isAside) {
      const { prompt, call } = asked;
      this.told.push(call ? { prompt, command: call.command } : { prompt, answer: text });
    }
    const isStream = json.stream === true || path.includes(':stream');
    const wire: Wire = {
      number,
      text,
      call: asked.call,
      isStream,
      model: String(json.model ?? 'fake-model'),
    };
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    response.end(answer(wire));
  }

  #other(path: string, response: ServerResponse): void {
    const [, known] = OTHERS.find(([end]) => end.test(path)) ?? [];
    if (known === undefined) this.unanswered.add(path);
    response.setHeader('content-type', 'application/json');
    response.end(known ?? '{"data":[]}');
  }
}

const OTHERS: [RegExp, string][] = [
  [/:countTokens$/, '{"totalTokens":100}'],
  [/\/count_tokens$/, '{"input_tokens":100}'],
  [/\/models$/, '{"object":"list","data":[{"id":"fake-model","object":"model"}],"models":[]}'],
];

const ANSWERS: [RegExp, (wire: Wire) => string][] = [
  [/\/responses$/, responsesAnswer],
  [/\/chat\/completions$/, chatCompletion],
  [/\/messages$/, messagesAnswer],
  [/:(?:streamGenerateContent|generateContent)$/, geminiAnswer],
];
