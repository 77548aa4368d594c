import type { ByteRange, ToolResultEntry } from '../../model/entry.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import type { LineType } from './line-test.ts';
import { type ReadObject, readEnvelope } from './read-object.ts';

const CLOSE = 0x7d;
const QUOTE = 0x22;
const GLUE = Buffer.from('}{"');

const SUB_MESSAGE = Buffer.from(',"data":{"message":{"type":"');
const AGENT_PROGRESS = Buffer.from('agent_progress"');
const AGENT_ID = Buffer.from('"agentId":"');
const PARENT_TOOL = Buffer.from('"parentToolUseID":"');

const MESSAGE = Buffer.from(',"message":{"role":"user","content":[{');
const ID_FIRST = Buffer.from('"tool_use_id":"');
const TYPE_THEN_TEXT = Buffer.from('"type":"tool_result","content":"');
const MESSAGE_END = Buffer.from(']},"uuid":"');
const ANOTHER_BLOCK = Buffer.from('},{');
const ANSWER = Buffer.from('User has answered');
const IS_ERROR = Buffer.from('"is_error":true');
const TOOL_USE_RESULT = Buffer.from(',"toolUseResult":');
const STATUS = Buffer.from('"status"');
/** Where the keys after a result's content end, and where a subagent's result tells its status. */
const NEAR = 160;

/**
 * The two kinds of lines that make up most of the bytes, read without parsing what nobody may want: plain results of
 * tools (their text is parsed when it is asked for) and the work of subagents. Undefined: only a whole parse can tell.
 * All tests are on bytes that can't stand inside a JSON string, where quotes are escaped.
 */
export function quickLine(line: Buffer, { type, after }: LineType, src: ByteRange): ReadObject | undefined {
  if (line[line.length - 1] !== CLOSE) return undefined;
  if (type === 'user') return toolResult(line, after, src);
  return type === 'progress' ? subagentWork(line, after) : undefined;
}

function subagentWork(line: Buffer, after: number): ReadObject | undefined {
  if (!startsWith(line, SUB_MESSAGE, after)) return undefined;
  const end = line.lastIndexOf(AGENT_PROGRESS);
  const toolUseId = end === -1 ? '' : quotedAfter(line, PARENT_TOOL, end);
  const agentId = end === -1 ? '' : quotedAfter(line, AGENT_ID, end) || toolUseId;
  if (!agentId || line.indexOf(GLUE) !== -1) return undefined;
  return { entries: [], facts: { sub: { agentId, toolUseId } } };
}

function toolResult(line: Buffer, after: number, src: ByteRange): ReadObject | undefined {
  if (!startsWith(line, MESSAGE, after)) return undefined;
  const from = after + MESSAGE.length;
  const end = line.indexOf(MESSAGE_END, from);
  const block = end === -1 ? undefined : line.subarray(from, end);
  const toolUseId = block && plainResult(block);
  if (!toolUseId || line.indexOf(GLUE, end) !== -1) return undefined;
  const cut = line.indexOf(TOOL_USE_RESULT, end);
  const tail = line.toString('utf8', end + 2, cut === -1 ? line.length - 1 : cut);
  const envelope = parse(`${line.toString('utf8', 0, after)}${tail}}`);
  if (typeof envelope?.uuid !== 'string' || typeof envelope.timestamp !== 'string') return undefined;
  const { place, facts } = readEnvelope(envelope, src);
  const started = cut === -1 ? '' : startedAgent(line, cut);
  return { entries: [lazyResult(place, toolUseId, Buffer.from(block), started)], facts };
}

type Place = ReturnType<typeof readEnvelope>['place'];

function lazyResult(place: Place, toolUseId: string, block: Buffer, startedAgentId: string): ToolResultEntry {
  return {
    ...place,
    kind: 'tool-result',
    origin: 'tool',
    toolUseId,
    isError: false,
    get text() {
      const content = parse(`{${block.toString('utf8')}`)?.content;
      return typeof content === 'string' ? content : '';
    },
    ...(startedAgentId ? { startedAgentId } : {}),
  };
}

/** The id of the call, when the block is one successful result with plain text and no human answer in it. */
function plainResult(block: Buffer): string | undefined {
  const idFirst = startsWith(block, ID_FIRST, 0);
  const idEnd = idFirst ? block.indexOf(QUOTE, ID_FIRST.length) : -1;
  const text = (idFirst ? idEnd + 2 : 0) + TYPE_THEN_TEXT.length;
  if (!startsWith(block, TYPE_THEN_TEXT, text - TYPE_THEN_TEXT.length) || startsWith(block, ANSWER, text))
    return undefined;
  const closing = block.subarray(Math.max(text, block.length - NEAR));
  if (closing.indexOf(IS_ERROR) !== -1) return undefined;
  if (block.indexOf(ANOTHER_BLOCK, text) !== -1) return undefined;
  const id = idFirst ? block.toString('latin1', ID_FIRST.length, idEnd) : quotedAfter(closing, ID_FIRST, 0);
  return id || undefined;
}

/** Only a subagent's result begins with a status. */
function startedAgent(line: Buffer, cut: number): string {
  const near = line.subarray(cut, cut + NEAR);
  return near.indexOf(STATUS) === -1 ? '' : quotedAfter(line, AGENT_ID, cut);
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

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
