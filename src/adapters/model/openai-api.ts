import type { Model, ModelAnswer, ModelAsk, ModelUsage } from '../../ports/model.ts';
import type { ApiOptions } from './anthropic-api.ts';
import { at, countAt, eventData, readObject, textAt } from './event-stream.ts';
import { cutOff, httpCall, probeModels } from './http-call.ts';

/** Any server that speaks OpenAI's chat completions: Ollama, LM Studio, vLLM. The key may be empty. */
export function openaiApi({ url, key, timeoutMs }: ApiOptions): Model {
  const base = baseOf(url);
  const place = new URL(base).host;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (key !== '') headers.authorization = `Bearer ${key}`;
  return {
    service: 'openai',
    place: base,
    startsAgent: false,
    ask: (ask) =>
      httpCall<ModelAnswer>(
        { url: `${base}/chat/completions`, headers, body: bodyOf(ask), timeoutMs, signal: ask.signal, key },
        (response, alive) => readAnswer(response, ask, place, alive),
      ),
    probe: () => probeModels({ url: `${base}/models`, headers, timeoutMs, key }),
  };
}

/** `http://localhost:11434` means its `/v1`; a URL with a path of its own is taken as it is. */
function baseOf(url: string): string {
  const plain = url.replace(/\/+$/, '');
  return new URL(plain).pathname === '/' ? `${plain}/v1` : plain;
}

function bodyOf({ model, system, prompt, maxTokens }: ModelAsk): unknown {
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ],
  };
}

async function readAnswer(
  response: Response,
  ask: ModelAsk,
  place: string,
  alive: () => void,
): Promise<ModelAnswer> {
  if (!response.body || !/event-stream/.test(response.headers.get('content-type') ?? '')) {
    const body = readObject(await response.text());
    if (at(body, 'choices', 0) === undefined) return cutOff(place);
    const text = textAt(body, 'choices', 0, 'message', 'content');
    return ended(text, textAt(body, 'choices', 0, 'finish_reason'), usageAt(body));
  }
  let text = '';
  let stop = '';
  let refusal = '';
  let usage: ModelUsage | undefined;
  for await (const data of eventData(response.body)) {
    alive();
    if (data.trim() === '[DONE]') return ended(text, refusal === '' ? stop : 'content_filter', usage);
    const event = readObject(data);
    if (at(event, 'error') !== undefined) {
      const message = `${place} interrupted the answer: ${textAt(event, 'error', 'message').slice(0, 200)}`;
      return { kind: 'failed', why: 'broken', message, again: true, ...(usage ? { usage } : {}) };
    }
    text += textAt(event, 'choices', 0, 'delta', 'content');
    refusal += textAt(event, 'choices', 0, 'delta', 'refusal');
    stop = textAt(event, 'choices', 0, 'finish_reason') || stop;
    usage = usageAt(event) ?? usage;
    ask.onText?.(text.length);
  }
  // Some servers end without `[DONE]`; one that said why it stopped has said all.
  return stop === '' ? cutOff(place, usage) : ended(text, stop, usage);
}

function ended(text: string, stop: string, usage: ModelUsage | undefined): ModelAnswer {
  const end = stop === 'length' ? 'cut' : stop === 'content_filter' ? 'refused' : 'done';
  return { kind: 'text', text, end, ...(usage ? { usage } : {}) };
}

function usageAt(body: unknown): ModelUsage | undefined {
  const usage = at(body, 'usage');
  if (typeof usage !== 'object' || usage === null) return undefined;
  return { input: countAt(usage, 'prompt_tokens'), output: countAt(usage, 'completion_tokens') };
}
