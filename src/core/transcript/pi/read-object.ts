import type { ByteRange, Entry, LineFacts } from '../../model/entry.ts';
import { shortHash } from '../../model/ids.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, interruption, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, knownMarks, withGaps } from '../known-fields.ts';
import { blockObject, hasFailed, RESULT_MARKS, textIn } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { compaction, notice, only, skipped, titled, unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { withoutTags } from '../tagged-words.ts';
import { machineShape } from '../text-shape.ts';

const QUIET = new Set([
  'model_change',
  'thinking_level_change',
  'custom',
  'label',
  'leaf',
  'active_tools_change',
]);
const KINDS = new Set([
  ...QUIET,
  'session',
  'message',
  'compaction',
  'branch_summary',
  'custom_message',
  'session_info',
]);
const ROLES = new Set([
  'user',
  'assistant',
  'toolResult',
  'bashExecution',
  'custom',
  'branchSummary',
  'compactionSummary',
  'hookMessage',
]);
/** What the client adds to a message besides the words: files named by `@`, skills, and descriptions of a channel. */
const ADDED = ['file', 'skill', 'system-reminder', 'summary'];
/** How messages begin that openclaw itself sends to the agent. */
const CLIENT_SENTENCE =
  /^(?:System: \[|\[(?:System|Heartbeat|cron|Subagent|Inter-session)\b|Read HEARTBEAT\.md|A new session was started via |Pre-compaction memory flush)/i;
const SESSION = knownMarks('session', { folder: 'cwd' }, 'branchedFrom parentSession');
const TITLE = knownFields('title', 'name:s');
const RAN = knownMarks('command', { exit: 'exitCode' }, 'timestamp');
/** openclaw writes who spoke on which channel before the words. */
const ENVELOPE =
  /^(?:Conversation info|Sender|Thread starter|Replied message|Forwarded message context|Chat history since last reply) \(untrusted[^)]*\):\n```json\n[\s\S]*?\n```\n*/;

/** Lines of pi and of openclaw, which is made of it: a `session` line, then entries with an id and a parent. */
export const piReader: AgentReader = { is: isPiObject, read: readPiObject };

function isPiObject(object: JsonObject): boolean {
  const type = stringOf(object.type);
  if (!KINDS.has(type) || 'sessionId' in object || 'session_id' in object || 'payload' in object)
    return false;
  if (type === 'session')
    return typeof object.id === 'string' && typeof object.timestamp === 'string' && 'cwd' in object;
  // Other agents have messages of this form: theirs call tools by `tool_use`.
  if (type === 'message') return isObject(object.message) && isOwnMessage(object.message);
  return typeof object.timestamp === 'string' && !('message' in object);
}

function isOwnMessage({ role, content, api, provider, timestamp }: JsonObject): boolean {
  if (!ROLES.has(stringOf(role))) return false;
  if (role === 'toolResult' || role === 'bashExecution') return true;
  const calls =
    Array.isArray(content) && content.some((block) => isObject(block) && block.type === 'toolCall');
  return calls || typeof api === 'string' || typeof provider === 'string' || typeof timestamp === 'number';
}

function readPiObject(object: JsonObject, src: ByteRange): ReadObject {
  const type = stringOf(object.type);
  const message = isObject(object.message) ? object.message : {};
  const ts = timeOf(object.timestamp) || timeOf(message.timestamp);
  // The first versions gave no ids: a fork repeats its lines with their times.
  const id = stringOf(object.id) || `a_${shortHash(`${ts}\n${type}\n${JSON.stringify(message)}`, 16)}`;
  const parent = stringOf(object.parentId);
  const place: AgentPlace = { id, ts, src };
  switch (type) {
    case 'session':
      return withGaps({ entries: [], facts: sessionFacts(object) }, SESSION, object);
    case 'message':
      return readMessage(message, place, parent);
    case 'compaction':
    case 'branch_summary':
      return stringOf(object.summary) ? only(compaction(place, stringOf(object.summary))) : skipped(type);
    case 'session_info':
      return withGaps({ entries: titled(place, stringOf(object.name), true), facts: {} }, TITLE, object);
    case 'custom_message':
      return only(notice(place, textIn(object.content)));
    default:
      return QUIET.has(type) ? skipped(type) : unknown(type);
  }
}

function sessionFacts({ id, cwd, version }: JsonObject): LineFacts {
  return {
    ...(stringOf(id) ? { sessionId: stringOf(id) } : {}),
    ...(stringOf(cwd) ? { cwd: stringOf(cwd) } : {}),
    ...(typeof version === 'number' ? { version: String(version) } : {}),
  };
}

function readMessage(message: JsonObject, place: AgentPlace, parent: string): ReadObject {
  const { content } = message;
  const model = stringOf(message.model);
  const role = stringOf(message.role);
  switch (role) {
    case 'user':
      return withSender(blockObject(place, { role, content, ownWords }), message);
    case 'assistant': {
      const read = blockObject(place, { role, content, ownWords, ...(model ? { model } : {}) });
      if (message.stopReason === 'aborted') return withStop(read, place);
      const error = stringOf(message.errorMessage);
      const isFailed = read.entries.length === 0 && read.unknown === undefined && error !== '';
      return isFailed ? only(notice(place, error)) : withParent(read, parent);
    }
    case 'toolResult': {
      const toolUseId = stringOf(message.toolCallId);
      const isError = hasFailed(message);
      const text = textIn(content);
      const read = only({ ...place, kind: 'tool-result', origin: 'tool', toolUseId, text, isError });
      return withGaps(read, RESULT_MARKS, message);
    }
    case 'bashExecution':
      return withGaps({ entries: ranByUser(message, place), facts: {} }, RAN, message);
    case 'branchSummary':
    case 'compactionSummary':
      return only(compaction(place, stringOf(message.summary)));
    case 'custom':
    case 'hookMessage':
    case 'system':
      return only(notice(place, textIn(content)));
    default:
      return unknown(`message of ${role || 'nobody'}`);
  }
}

/** openclaw says whether its owner wrote on a channel: words of somebody else are shown, and never obeyed. */
function withSender(read: ReadObject, { __openclaw: sender }: JsonObject): ReadObject {
  if (!isObject(sender) || sender.senderIsOwner !== false) return read;
  const entries = read.entries.map(
    (entry): Entry => (entry.kind === 'user' ? { ...entry, unproven: true } : entry),
  );
  return { ...read, entries };
}

function withStop(read: ReadObject, place: AgentPlace): ReadObject {
  const { skipped: _, ...rest } = read;
  return { ...rest, entries: [...read.entries, interruption(place)] };
}

function withParent(read: ReadObject, parent: string): ReadObject {
  return parent === '' ? read : { ...read, entries: read.entries.map((entry) => ({ ...entry, parent })) };
}

/** `!` and a command: the user ran it, the agent sees it. */
function ranByUser(message: JsonObject, place: AgentPlace): Entry[] {
  const toolUseId = place.id;
  const input = { command: stringOf(message.command) };
  const exit = typeof message.exitCode === 'number' ? message.exitCode : 0;
  const text = stringOf(message.output);
  return [
    { ...notice(place, `! ${input.command}`), client: true },
    ...callEntries(place, { toolUseId, name: 'bash', input }),
    { ...place, kind: 'tool-result', origin: 'tool', toolUseId, text, isError: exit !== 0 },
  ];
}

function ownWords(text: string): string | undefined {
  let own = withoutTags(text, ADDED);
  for (let found = ENVELOPE.exec(own); found; found = ENVELOPE.exec(own)) own = own.slice(found[0].length);
  return CLIENT_SENTENCE.test(own.trim()) || machineShape(own) ? undefined : own;
}
