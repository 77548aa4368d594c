import type { ByteRange, Entry } from '../../model/entry.ts';
import { parseOutside } from '../../model/parse-stored.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { changedLines, hasGluedLine, isObject, isQuestions } from '../parse-line.ts';
import { type Envelope, quickEnvelope } from './envelope.ts';
import type { LineHead } from './line-test.ts';
import { oddBlockIn } from './odd-block.ts';
import { assistantEntries } from './read-object.ts';

const CLOSE = 0x7d;
const QUOTE = 0x22;

const SUB_MESSAGE = Buffer.from(',"data":{"message":{"type":"');
const AGENT_PROGRESS = Buffer.from('agent_progress"');
const AGENT_ID = Buffer.from('"agentId":"');
const PARENT_TOOL = Buffer.from('"parentToolUseID":"');

const RESULT_MESSAGE = Buffer.from(',"message":{"role":"user","content":[{');
const ID_FIRST = Buffer.from('"tool_use_id":"');
const TYPE_THEN_TEXT = Buffer.from('"type":"tool_result","content":"');
const RESULT_END = Buffer.from(']},"uuid":"');
const ANOTHER_BLOCK = Buffer.from('},{');
const ANSWERS = [Buffer.from('User has answered'), Buffer.from('Your questions have been answered')];
/** A key, since quotes in texts are escaped, that says more about a result than whose it is and that it is no failure. */
const ANOTHER_KEY = /,"(?!is_error":false|tool_use_id":")\w/;
const TOOL_USE_RESULT = Buffer.from(',"toolUseResult":');
const STATUS = Buffer.from('"status"');

const ASSISTANT_MESSAGE = Buffer.from(',"message":{"model":"');
const MESSAGE_ID = Buffer.from('","id":"');
const CONTENT = Buffer.from('"content":[');
const CONTENT_END = Buffer.from('],"stop_reason":');
const ASSISTANT_ID = Buffer.from(',"type":"assistant","uuid":"');
const THINKING = Buffer.from('{"type":"thinking","thinking":"');
const TIMESTAMP = Buffer.from('","timestamp":"');
/** Where the keys after a result's content end, and where a subagent's result has its status. */
const NEAR = 160;
/** Letters, digits and what joins them in ids and times. */
const NAME_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\w.:@/+-]/.test(String.fromCharCode(byte)) && byte < 0x7f ? 1 : 0,
);
/** No uuid and no time is longer. */
const LONGEST_FIELD = 64;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * The kinds of lines that make up most of the bytes, read without parsing what nobody may want: plain results of tools
 * and thinking (their text is parsed when it is asked for), the agent's words and calls without their envelope, the work
 * of subagents. Undefined: the whole line must be parsed. All tests are on bytes that can't be inside a JSON string,
 * where quotes are escaped.
 */
export function quickLine(line: Buffer, { type, after }: LineHead, src: ByteRange): ReadObject | undefined {
  if (line[line.length - 1] !== CLOSE) return undefined;
  switch (type) {
    case undefined:
      return assistant(line, after, src);
    case 'user':
      return toolResult(line, after, src);
    case 'progress':
      return subagentWork(line, after);
    default:
      return undefined;
  }
}

function subagentWork(line: Buffer, after: number): ReadObject | undefined {
  if (!startsWith(line, SUB_MESSAGE, after)) return undefined;
  const end = line.lastIndexOf(AGENT_PROGRESS);
  const toolUseId = end === -1 ? '' : quotedAfter(line, PARENT_TOOL, end);
  const agentId = end === -1 ? '' : quotedAfter(line, AGENT_ID, end) || toolUseId;
  if (!agentId || hasGluedLine(line, 1)) return undefined;
  return { entries: [], facts: { sub: { agentId, toolUseId } } };
}

function assistant(line: Buffer, after: number, src: ByteRange): ReadObject | undefined {
  if (!startsWith(line, ASSISTANT_MESSAGE, after)) return undefined;
  const model = plainString(line, after + ASSISTANT_MESSAGE.length);
  const idAt = after + ASSISTANT_MESSAGE.length + (model?.length ?? 0);
  if (!model || model.startsWith('<') || !startsWith(line, MESSAGE_ID, idAt)) return undefined;
  const messageId = plainString(line, idAt + MESSAGE_ID.length);
  const from = line.indexOf(CONTENT, idAt);
  const end = from === -1 ? -1 : line.indexOf(CONTENT_END, from);
  const named =
    end === -1 ? undefined : idAndTime(line, line.indexOf(ASSISTANT_ID, end), ASSISTANT_ID.length);
  // Nothing may follow the time: another object could be glued on.
  if (!messageId || !named || named.end + 2 !== line.length) return undefined;
  const envelope = quickEnvelope(line, after, { ...named, src });
  const content = line.subarray(from + CONTENT.length, end);
  return envelope && contentObject(content, { id: messageId, model }, envelope);
}

function contentObject(
  content: Buffer,
  message: { id: string; model: string },
  { place, facts }: Envelope,
): ReadObject | undefined {
  if (startsWith(content, THINKING, 0) && content.indexOf(ANOTHER_BLOCK) === -1) {
    const block = Buffer.from(content);
    const thought: Entry = {
      ...place,
      kind: 'thinking',
      origin: 'assistant',
      messageId: message.id,
      model: message.model,
      get text() {
        return textIn(block.toString('utf8'), 'thinking');
      },
    };
    return { entries: [thought], facts };
  }
  const blocks = parseOutside(`[${content.toString('utf8')}]`);
  if (blocks === undefined) return undefined;
  const unknown = oddBlockIn(blocks);
  const entries = assistantEntries({ message: { ...message, content: blocks } }, place);
  return { entries, facts, ...(unknown === undefined ? {} : { unknown }) };
}

function toolResult(line: Buffer, after: number, src: ByteRange): ReadObject | undefined {
  if (!startsWith(line, RESULT_MESSAGE, after)) return undefined;
  const from = after + RESULT_MESSAGE.length;
  const end = line.indexOf(RESULT_END, from);
  const block = end === -1 ? undefined : line.subarray(from, end);
  const toolUseId = block && plainResult(block);
  const named = toolUseId ? idAndTime(line, end, RESULT_END.length) : undefined;
  if (!toolUseId || !named || hasGluedLine(line, named.end)) return undefined;
  if (isQuestions(line, named.end + 1)) return undefined;
  const envelope = quickEnvelope(line, after, { ...named, src });
  if (!envelope) return undefined;
  const text = Buffer.from(block);
  const entry: Entry = {
    ...envelope.place,
    kind: 'tool-result',
    origin: 'tool',
    toolUseId,
    isError: false,
    get text() {
      return textIn(`{${text.toString('utf8')}`, 'content');
    },
  };
  const started = startsWith(line, TOOL_USE_RESULT, named.end + 1) ? startedAgent(line, named.end) : '';
  if (started) entry.startedAgentId = started;
  const changed = changedLines(line, named.end);
  if (changed) entry.changed = changed;
  return { entries: [entry], facts: envelope.facts };
}

/** The id of the call, when the block is one successful result with plain text and no human answer in it. */
function plainResult(block: Buffer): string | undefined {
  const idFirst = startsWith(block, ID_FIRST, 0);
  const idEnd = idFirst ? block.indexOf(QUOTE, ID_FIRST.length) : -1;
  const text = (idFirst ? idEnd + 2 : 0) + TYPE_THEN_TEXT.length;
  if (
    !startsWith(block, TYPE_THEN_TEXT, text - TYPE_THEN_TEXT.length) ||
    ANSWERS.some((answer) => startsWith(block, answer, text))
  ) {
    return undefined;
  }
  const closing = block.subarray(Math.max(text, block.length - NEAR));
  if (ANOTHER_KEY.test(closing.toString('latin1')) || block.indexOf(ANOTHER_BLOCK, text) !== -1)
    return undefined;
  const id = idFirst ? block.toString('latin1', ID_FIRST.length, idEnd) : quotedAfter(closing, ID_FIRST, 0);
  return id || undefined;
}

/** Only a subagent's result begins with a status. */
function startedAgent(line: Buffer, from: number): string {
  const near = line.subarray(from, from + NEAR);
  return near.indexOf(STATUS) === -1 ? '' : quotedAfter(line, AGENT_ID, from);
}

/** `<key>ID","timestamp":"TIME"`; `end` is the time's closing quote. */
function idAndTime(
  line: Buffer,
  at: number,
  key: number,
): { id: string; ts: string; end: number } | undefined {
  const id = at === -1 ? undefined : plainString(line, at + key);
  if (!id || !startsWith(line, TIMESTAMP, at + key + id.length)) return undefined;
  const from = at + key + id.length + TIMESTAMP.length;
  const ts = plainString(line, from);
  return ts && TIME.test(ts) ? { id, ts, end: from + ts.length } : undefined;
}

/** An id, a model or a time that begins at `from`; undefined when it is anything else. */
function plainString(line: Buffer, from: number): string | undefined {
  for (let i = from; i < line.length && i - from < LONGEST_FIELD; i++) {
    const byte = line[i]!;
    if (byte === QUOTE) return line.toString('latin1', from, i);
    if (!NAME_BYTES[byte]) return undefined;
  }
  return undefined;
}

function startsWith(line: Buffer, start: Buffer, at: number): boolean {
  if (line.length < at + start.length) return false;
  for (let i = 0; i < start.length; i++) if (line[at + i] !== start[i]) return false;
  return true;
}

function quotedAfter(line: Buffer, key: Buffer, from: number): string {
  const at = line.indexOf(key, from);
  const end = at === -1 ? -1 : line.indexOf(QUOTE, at + key.length);
  return end === -1 ? '' : line.toString('utf8', at + key.length, end);
}

/** What is broken inside is known only now: it has no text. */
function textIn(json: string, field: 'content' | 'thinking'): string {
  const value = parseOutside(json);
  const text = isObject(value) ? value[field] : undefined;
  return typeof text === 'string' ? text : '';
}
