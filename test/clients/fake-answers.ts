import type { Asked } from './fake-asks.ts';

/** One answer, before it is encoded for a protocol. */
export type Wire = { number: number; text: string; call: Asked['call']; isStream: boolean; model: string };

const events = (list: object[], end = '') =>
  list.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('') + end;
const named = (list: { type: string }[]) =>
  list.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('');

export function responsesAnswer({ number, text, call, isStream, model }: Wire): string {
  const item = call
    ? {
        type: 'function_call',
        id: `fc_${number}`,
        call_id: `call_${number}`,
        name: call.name,
        arguments: JSON.stringify(call.input),
        status: 'completed',
      }
    : {
        type: 'message',
        id: `msg_${number}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      };
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  const done = {
    id: `resp_${number}`,
    object: 'response',
    created_at: 1,
    status: 'completed',
    model,
    output: [item],
    usage,
  };
  if (!isStream) return JSON.stringify(done);
  const open = { ...done, status: 'in_progress', output: [] };
  const at = { output_index: 0, item_id: item.id };
  const started = call ? { ...item, arguments: '' } : { ...item, content: [] };
  const parts = call
    ? [
        {
          type: 'response.function_call_arguments.delta',
          ...at,
          delta: call ? JSON.stringify(call.input) : '',
        },
        { type: 'response.function_call_arguments.done', ...at, arguments: JSON.stringify(call.input) },
      ]
    : [
        {
          type: 'response.content_part.added',
          ...at,
          content_index: 0,
          part: { type: 'output_text', text: '', annotations: [] },
        },
        { type: 'response.output_text.delta', ...at, content_index: 0, delta: text },
        { type: 'response.output_text.done', ...at, content_index: 0, text },
        {
          type: 'response.content_part.done',
          ...at,
          content_index: 0,
          part: { type: 'output_text', text, annotations: [] },
        },
      ];
  const list = [
    { type: 'response.created', response: open },
    { type: 'response.in_progress', response: open },
    { type: 'response.output_item.added', output_index: 0, item: { ...started, status: 'in_progress' } },
    ...parts,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: done },
  ];
  return named(list.map((event, sequence_number) => ({ ...event, sequence_number })));
}

export function chatCompletion({ number, text, call, isStream, model }: Wire): string {
  const calls = call && [
    {
      index: 0,
      id: `call_${number}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    },
  ];
  const message = { role: 'assistant', content: call ? null : text, ...(calls ? { tool_calls: calls } : {}) };
  const finish_reason = call ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const of = { id: `chatcmpl_${number}`, created: 1, model };
  if (!isStream)
    return JSON.stringify({
      ...of,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason }],
      usage,
    });
  const chunk = (delta: object, finish: string | null, more = {}) => ({
    ...of,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });
  return events(
    [
      chunk({ role: 'assistant', content: '' }, null),
      chunk(calls ? { tool_calls: calls } : { content: text }, null),
      chunk({}, finish_reason, { usage }),
    ],
    'data: [DONE]\n\n',
  );
}

export function messagesAnswer({ number, text, call, isStream, model }: Wire): string {
  const block = call
    ? { type: 'tool_use', id: `toolu_${number}`, name: call.name, input: call.input }
    : { type: 'text', text };
  const usage = {
    input_tokens: 100,
    output_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model, usage };
  const ended = { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null };
  if (!isStream) return JSON.stringify({ ...message, content: [block], ...ended });
  const empty = call ? { ...block, input: {} } : { type: 'text', text: '' };
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
    : { type: 'text_delta', text };
  return named([
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: ended, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ] as { type: string }[]);
}

export function geminiAnswer({ number, text, call, isStream, model }: Wire): string {
  const part = call
    ? { functionCall: { id: `call_${number}`, name: call.name, args: call.input } }
    : { text };
  const answer = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
    modelVersion: model,
  };
  return isStream ? events([answer]) : JSON.stringify(answer);
}
