import type { Model, ModelAnswer, ModelAsk, ModelUsage } from '../../ports/model.ts';
import { at, countAt, eventData, readObject, textAt } from './event-stream.ts';
import { cutOff, httpCall, probeModels } from './http-call.ts';

export type ApiOptions = { url: string; key: string; timeoutMs: number };

const OWN_URL = 'https://api.anthropic.com';

/** Anthropic's Messages API, streamed. */
export function anthropicApi({ url, key, timeoutMs }: ApiOptions): Model {
  const base = (url === '' ? OWN_URL : url).replace(/\/+$/, '').replace(/\/v1$/, '');
  const place = new URL(base).host;
  const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' };
  return {
    service: 'anthropic',
    place: base,
    startsAgent: false,
    ask: (ask) =>
      httpCall<ModelAnswer>(
        { url: `${base}/v1/messages`, headers, body: bodyOf(ask), timeoutMs, signal: ask.signal, key },
        (response, alive) => readAnswer(response, ask, place, alive),
      ),
    probe: () => probeModels({ url: `${base}/v1/models?limit=100`, headers, timeoutMs, key }),
  };
}

function bodyOf({ model, system, prompt, maxTokens }: ModelAsk): unknown {
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    system,
    messages: [{ role: 'user', content: prompt }],
  };
}

async function readAnswer(
  response: Response,
  ask: ModelAsk,
  place: string,
  alive: () => void,
): Promise<ModelAnswer> {
  if (!response.body || !/event-stream/.test(response.headers.get('content-type') ?? ''))
    return readWhole(readObject(await response.text()), place);
  let text = '';
  let usage: ModelUsage | undefined;
  let stop = '';
  for await (const data of eventData(response.body)) {
    alive();
    const event = readObject(data);
    switch (textAt(event, 'type')) {
      case 'message_start':
        usage = usageAt(at(event, 'message', 'usage'));
        break;
      case 'content_block_delta':
        text += textAt(event, 'delta', 'text');
        ask.onText?.(text.length);
        break;
      case 'message_delta':
        stop = textAt(event, 'delta', 'stop_reason') || stop;
        if (usage) usage.output = Math.max(usage.output, countAt(event, 'usage', 'output_tokens'));
        break;
      case 'message_stop':
        return { kind: 'text', text, end: endOf(stop), ...(usage ? { usage } : {}) };
      case 'error': {
        const message = `${place} interrupted the answer: ${textAt(event, 'error', 'message').slice(0, 200)}`;
        return { kind: 'failed', why: 'broken', message, again: true, ...(usage ? { usage } : {}) };
      }
    }
  }
  return cutOff(place, usage);
}

function readWhole(body: Record<string, unknown> | undefined, place: string): ModelAnswer {
  const content = at(body, 'content');
  if (!Array.isArray(content)) return cutOff(place);
  const text = content
    .map((block) => (textAt(block, 'type') === 'text' ? textAt(block, 'text') : ''))
    .join('');
  return { kind: 'text', text, end: endOf(textAt(body, 'stop_reason')), usage: usageAt(at(body, 'usage')) };
}

function usageAt(usage: unknown): ModelUsage {
  const input =
    countAt(usage, 'input_tokens') +
    countAt(usage, 'cache_creation_input_tokens') +
    countAt(usage, 'cache_read_input_tokens');
  return { input, output: countAt(usage, 'output_tokens') };
}

function endOf(stop: string): 'done' | 'cut' | 'refused' {
  if (stop === 'refusal') return 'refused';
  return stop === 'max_tokens' || stop === 'model_context_window_exceeded' ? 'cut' : 'done';
}
