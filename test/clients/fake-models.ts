import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatCompletion, geminiAnswer, messagesAnswer, responsesAnswer, type Wire } from './fake-answers.ts';
import { askedOf, type Json } from './fake-asks.ts';

/** A request to the model and its answer. */
export type Told = { prompt: string; answer: string } | { prompt: string; command: string };

/**
 * A model on loopback that speaks the protocols of OpenAI (responses, chat completions), Anthropic and Gemini. `RUN:x:END` in
 * a prompt makes it run that command by whatever tool the client offers for it; anything else gets a short answer.
 */
export class FakeModels {
  readonly told: Told[] = [];
  /** Raw requests of the clients. */
  readonly asked: string[] = [];
  /** Runs once, before the next answer to a prompt; the client waits meanwhile. */
  meanwhile: (() => Promise<void>) | undefined;
  /** Resolves when that has run. */
  done: Promise<void> | undefined;
  /** Repeats the prompt's command until a request contains these words, or until the limit of runs. */
  awaited: { words: string; runs: number } | undefined;
  /** Paths that were requested and have no answer here. */
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
