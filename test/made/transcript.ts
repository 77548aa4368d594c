import fc from 'fast-check';

/** One line of an invented Claude Code session, and the human words that it is there for. */
export type MadeLine = { text: string; human?: string };

const words = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    '}{"',
    '"}]},"uuid":"x',
    ',"toolUseResult":',
    '##keepit0.80## keep this',
    'a\nb',
    '\\"',
    '},{',
    'こんにちは',
    '🎉',
  ),
);

/** Human words that can be told apart from what the client writes, and that are not empty. */
const humanWords = fc
  .tuple(fc.nat(1_000_000), words)
  .map(([number, text]) => `ask ${number} ${text.replace(/[<[]/g, '(').trim()}`.trim());

const uuid = fc.uuid();
const seconds = fc.integer({ min: 0, max: 86_399 });

function stamp(second: number): string {
  const part = (value: number) => String(value).padStart(2, '0');
  return `2026-03-01T${part(Math.floor(second / 3600))}:${part(Math.floor(second / 60) % 60)}:${part(second % 60)}.000Z`;
}

function line(type: string, id: string, second: number, rest: object): object {
  const head = {
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: '/srv/shop',
    sessionId: 'made',
    version: '2.1.5',
    gitBranch: 'main',
  };
  // The order of the keys is the client's: an assistant's message comes before its type.
  if (type === 'assistant') {
    return { ...head, ...rest, requestId: 'req_1', type, uuid: id, timestamp: stamp(second) };
  }
  const { toolUseResult, ...own } = rest as { toolUseResult?: unknown };
  return {
    ...head,
    type,
    ...own,
    uuid: id,
    timestamp: stamp(second),
    ...(toolUseResult === undefined ? {} : { toolUseResult }),
  };
}

const human = fc.tuple(uuid, seconds, humanWords).map(([id, second, text]) => ({
  text: JSON.stringify(line('user', id, second, { message: { role: 'user', content: text } })),
  human: text,
}));

const humanBlocks = fc.tuple(uuid, seconds, humanWords).map(([id, second, text]) => ({
  text: JSON.stringify(
    line('user', id, second, { message: { role: 'user', content: [{ type: 'text', text }] } }),
  ),
  human: text,
}));

const queued = fc.tuple(seconds, humanWords).map(([second, text]) => ({
  text: JSON.stringify({
    type: 'queue-operation',
    operation: 'enqueue',
    timestamp: stamp(second),
    sessionId: 'made',
    content: text,
  }),
  human: text,
}));

/** The message as the client writes it: a block a line, the stop reason after the content. */
function message(id: string, block: object): object {
  const content = [block];
  return {
    model: 'claude-x',
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: null,
    usage: { input_tokens: 3 },
  };
}

const assistant = fc
  .tuple(uuid, seconds, words, fc.constantFrom('text', 'thinking'))
  .map(([id, second, text, type]) => ({
    text: JSON.stringify(
      line('assistant', id, second, {
        message: message(id, type === 'text' ? { type, text } : { type, thinking: text, signature: 'Ab==' }),
      }),
    ),
  }));

const callId = fc.constantFrom('toolu_1', 'toolu_2', 'toolu_3', 'toolu_4');

const toolCall = fc
  .tuple(uuid, seconds, callId, words, fc.boolean())
  .map(([id, second, toolId, command, odd]) => ({
    text: JSON.stringify(
      line('assistant', id, second, {
        // An input may hold the very keys that the reader looks for.
        message: message(id, {
          type: 'tool_use',
          id: toolId,
          name: 'Bash',
          input: { command, ...(odd ? { content: [1], stop_reason: command } : {}) },
        }),
      }),
    ),
  }));

const toolResult = fc
  .tuple(
    uuid,
    seconds,
    callId,
    words,
    fc.boolean(),
    fc.option(fc.oneof(words, fc.record({ stdout: words, uuid: words })), { nil: undefined }),
    fc.boolean(),
  )
  .map(([id, second, toolId, content, isError, toolUseResult, idFirst]) => {
    const block = idFirst
      ? { tool_use_id: toolId, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) }
      : { type: 'tool_result', content, is_error: isError, tool_use_id: toolId };
    return {
      text: JSON.stringify(
        line('user', id, second, { message: { role: 'user', content: [block] }, toolUseResult }),
      ),
    };
  });

const noise = fc.constantFrom(
  '{"type":"file-history-snapshot","messageId":"m","snapshot":{},"isSnapshotUpdate":false}',
  '{"type":"progress","data":{"type":"hook_progress","hookEvent":"Stop"},"uuid":"n","timestamp":"2026-03-01T00:00:00.000Z"}',
  '{"type":"summary","summary":"An old title","leafUuid":"nowhere"}',
  '{"type":"hologram","depth":{"type":"user"}}',
);

/** A session as a list of lines. */
export const madeSession: fc.Arbitrary<MadeLine[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: human as fc.Arbitrary<MadeLine> },
    { weight: 1, arbitrary: humanBlocks },
    { weight: 1, arbitrary: queued },
    { weight: 3, arbitrary: assistant },
    { weight: 3, arbitrary: toolCall },
    { weight: 3, arbitrary: toolResult },
    { weight: 1, arbitrary: noise.map((text) => ({ text })) },
  ),
  { maxLength: 25 },
);
