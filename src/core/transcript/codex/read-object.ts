import type { ByteRange, Entry, LineFacts } from '../../model/entry.ts';
import { parseOutside } from '../../model/parse-stored.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, interruption, madeId } from '../agent-place.ts';
import { knownFields, knownMarks, withGaps } from '../known-fields.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { allOf, titled, unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { patchedFiles } from './patched-files.ts';
import { isQuietEvent, isQuietItem } from './quiet-kinds.ts';
import { readOutput, withOutputGaps } from './tool-output.ts';
import { cwdIn, mayBeTyped, userText } from './user-text.ts';

const ENVELOPES = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
  'inter_agent_communication_metadata',
  'token_usage_record',
]);
const CALL = knownFields('call', 'name:s|function:o arguments:os|input:os|action:os');
const SHELL_CALL = knownFields('call', 'action:os|arguments:os');
const RESULT = knownFields('result', 'output|result|tools');
const SESSION = knownMarks(
  'session',
  { folder: 'cwd' },
  'agent_path base_instructions dynamic_tools git instructions runtime_workspace_roots source',
);
const TURN = knownMarks(
  'turn',
  { folder: 'cwd' },
  'active_permission_profile base_instructions collaboration_mode developer_instructions file_system_sandbox_policy permission_profile sandbox_policy user_instructions workspace_roots',
);
const TITLE = knownFields('title', 'thread_name:s');
/** Items that were alone on their lines before there were envelopes. */
const BARE = new Set(['message', 'function_call', 'function_call_output', 'reasoning']);

export function isCodexObject(object: JsonObject): boolean {
  if (typeof object.type === 'string') {
    if (isObject(object.payload)) return ENVELOPES.has(object.type);
    if (!BARE.has(object.type) || 'sessionId' in object) return false;
    // Reasoning alone is no evidence: others store the same items of the same service.
    return object.type === 'message' ? isItemContent(object.content) : 'call_id' in object;
  }
  if (object.record_type === 'state') return true;
  return typeof object.id === 'string' && typeof object.timestamp === 'string' && 'instructions' in object;
}

function isItemContent(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.every((part) => isObject(part) && /^(?:in|out)put_/.test(stringOf(part.type)))
  );
}

/** A line of Codex CLI: `{timestamp, type, payload}`, or in the first versions the payload alone. */
export function readCodexObject(object: JsonObject, src: ByteRange): ReadObject {
  const type = stringOf(object.type);
  const payload = isObject(object.payload) ? object.payload : undefined;
  const ts = stringOf(object.timestamp) || stringOf(payload?.timestamp);
  if (!payload) {
    if (BARE.has(type)) return readItem(object, { src, ts, hasEvents: false });
    if (type === '' && 'instructions' in object)
      return withGaps({ entries: [], facts: metaFacts(object) }, SESSION, object);
    return object.record_type === 'state' ? skip('state') : unknown(type);
  }
  switch (type) {
    case 'session_meta':
      return withGaps({ entries: [], facts: metaFacts(payload) }, SESSION, payload);
    case 'turn_context':
      return withGaps(
        { entries: [], facts: stringOf(payload.cwd) ? { cwd: stringOf(payload.cwd) } : {}, skipped: type },
        TURN,
        payload,
      );
    case 'response_item':
      return readItem(payload, { src, ts, hasEvents: true });
    case 'event_msg':
      return readEvent(payload, src, ts);
    case 'compacted': {
      const id = madeId(src, type);
      return {
        entries: [{ id, ts, src, kind: 'compaction', origin: 'machine', text: stringOf(payload.message) }],
        facts: {},
      };
    }
    default:
      return ENVELOPES.has(type) ? skip(type) : unknown(type);
  }
}

function metaFacts(meta: JsonObject): LineFacts {
  const git = isObject(meta.git) ? meta.git : {};
  const own = stringOf(meta.id) || stringOf(meta.session_id);
  const parent = isObject(meta.source) ? stringOf(meta.parent_thread_id) || spawnedBy(meta.source) : '';
  const facts: LineFacts = parent ? { sessionId: parent, sidechain: true, agentId: own } : {};
  if (!parent && own) facts.sessionId = own;
  if (stringOf(meta.cwd)) facts.cwd = stringOf(meta.cwd);
  if (stringOf(git.branch)) facts.gitBranch = stringOf(git.branch);
  if (stringOf(git.repository_url)) facts.repository = stringOf(git.repository_url);
  if (stringOf(meta.cli_version)) facts.version = stringOf(meta.cli_version);
  return facts;
}

/** A thread that another one started is no session of its own. */
function spawnedBy(source: JsonObject): string {
  const sub = isObject(source.subagent) ? source.subagent : {};
  return isObject(sub.thread_spawn) ? stringOf(sub.thread_spawn.parent_thread_id) : '';
}

type ItemPlace = { src: ByteRange; ts: string; hasEvents: boolean };

function readItem(item: JsonObject, { src, ts, hasEvents }: ItemPlace): ReadObject {
  const type = stringOf(item.type);
  const place: AgentPlace = { id: stringOf(item.id) || madeId(src, type), ts, src };
  switch (type) {
    case 'message':
      return readMessage(item, place, hasEvents);
    case 'reasoning': {
      const text = contentText(item.summary) || contentText(item.content);
      return text === ''
        ? skip(type)
        : { entries: [{ ...place, kind: 'thinking', origin: 'assistant', text }], facts: {} };
    }
    case 'function_call':
    case 'custom_tool_call':
    case 'tool_call':
      return withGaps({ entries: callEntries(place, callOf(item, type)), facts: {} }, CALL, item);
    case 'local_shell_call':
    case 'tool_search_call':
      return withGaps({ entries: callEntries(place, callOf(item, type)), facts: {} }, SHELL_CALL, item);
    case 'web_search_call':
      // Done by the service itself: no result follows.
      return {
        entries: [
          ...callEntries(place, callOf(item, type)),
          resultOf({ call_id: callOf(item, type).toolUseId }, place),
        ],
        facts: {},
      };
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
    case 'tool_result':
      return withOutputGaps(
        withGaps({ entries: [resultOf(item, place)], facts: {} }, RESULT, item),
        item.output,
      );
    default:
      // An event of the same name contains what the agent said to its user: this item is for another agent.
      return isQuietItem(type) ? skip(`item ${type}`) : unknown(type && `item ${type}`);
  }
}

function readMessage(item: JsonObject, place: AgentPlace, hasEvents: boolean): ReadObject {
  const text = contentText(item.content);
  const images = countImages(item.content);
  const role = stringOf(item.role);
  if (role === 'assistant' && text.trim() !== '')
    return { entries: [{ ...place, kind: 'assistant', origin: 'assistant', text, copy: 'item' }], facts: {} };
  if (role !== 'user' || (text.trim() === '' && images === 0)) return skip(`message of ${role || 'nobody'}`);
  const own = userText(text);
  // What was typed is an event as well.
  if ((own === undefined && images === 0) || (hasEvents && !mayBeTyped(text))) {
    const cwd = cwdIn(text);
    return { entries: [{ ...place, kind: 'notice', origin: 'machine', text }], facts: cwd ? { cwd } : {} };
  }
  const entry: Entry = { ...place, kind: 'user', origin: 'user', text: own ?? '', copy: 'item' };
  return { entries: [images > 0 ? { ...entry, images } : entry], facts: {} };
}

/** What the terminal showed. Most of it is in items, too; what is not is taken from here. */
function readEvent(event: JsonObject, src: ByteRange, ts: string): ReadObject {
  const type = stringOf(event.type);
  const message = stringOf(event.message);
  const place: AgentPlace = { id: madeId(src, message || type), ts, src };
  switch (type) {
    case 'user_message':
      return typedEvent(place, message, listLength(event.images) + listLength(event.local_images));
    case 'agent_message':
      return saidEvent(place, message);
    case 'item_completed':
      return completedItem(isObject(event.item) ? event.item : {}, { src, ts });
    case 'thread_name_updated': {
      const text = stringOf(event.thread_name);
      return withGaps(allOf(titled(place, text), type), TITLE, event);
    }
    case 'patch_apply_end': {
      const files = event.success === false ? [] : patchedFiles(event.changes);
      return files.length === 0
        ? skip(type)
        : { entries: [{ ...place, kind: 'patched', origin: 'machine', files }], facts: {} };
    }
    case 'turn_aborted':
      return { entries: [interruption(place)], facts: {} };
    default:
      return isQuietEvent(type) ? skip(type) : unknown(type && `event ${type}`);
  }
}

function typedEvent(place: AgentPlace, message: string, images: number): ReadObject {
  const own = userText(message)?.trim() ?? '';
  // What the client put there is known, and its item holds it, too.
  if (own === '' && images === 0) return skip(message.trim() === '' ? 'user_message' : 'added user_message');
  const entry: Entry = { ...place, kind: 'user', origin: 'user', text: own, copy: 'event' };
  return { entries: [images > 0 ? { ...entry, images } : entry], facts: {} };
}

function saidEvent(place: AgentPlace, text: string): ReadObject {
  if (text.trim() === '') return skip('agent_message');
  return { entries: [{ ...place, kind: 'assistant', origin: 'assistant', text, copy: 'event' }], facts: {} };
}

/** Since 0.160 or so a message is an event of this form, instead of `user_message` and `agent_message`. */
function completedItem(item: JsonObject, { src, ts }: { src: ByteRange; ts: string }): ReadObject {
  const [type, text] = [stringOf(item.type), contentText(item.content)];
  const place: AgentPlace = { id: madeId(src, text || type), ts, src };
  if (type === 'UserMessage') {
    const parts = Array.isArray(item.content) ? item.content.filter(isObject) : [];
    return typedEvent(place, text, parts.filter((part) => /image/i.test(stringOf(part.type))).length);
  }
  if (type === 'AgentMessage') return saidEvent(place, text);
  const files = type === 'FileChange' && item.status === 'completed' ? patchedFiles(item.changes) : [];
  return files.length === 0
    ? skip(`completed ${type}`)
    : { entries: [{ ...place, kind: 'patched', origin: 'machine', files }], facts: {} };
}

function callOf(item: JsonObject, type: string): { toolUseId: string; name: string; input: JsonObject } {
  const toolUseId = stringOf(item.call_id) || stringOf(item.id);
  const of = isObject(item.function) ? item.function : {};
  const name = stringOf(item.name) || stringOf(of.name) || type.replace(/_call$/, '');
  const rawInput = item.arguments ?? item.action ?? item.input;
  if (isObject(rawInput)) return { toolUseId, name, input: rawInput };
  const parsed = parsedInput(stringOf(rawInput));
  return { toolUseId, name, input: parsed ?? { input: stringOf(rawInput) } };
}

function parsedInput(text: string): JsonObject | undefined {
  const value = parseOutside(text);
  return isObject(value) ? value : undefined;
}

function resultOf(item: JsonObject, place: AgentPlace): Entry {
  const output = item.output ?? item.result;
  return {
    ...place,
    kind: 'tool-result',
    origin: 'tool',
    toolUseId: stringOf(item.call_id),
    ...readOutput(output),
  };
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isObject(part) ? stringOf(part.text) : ''))
    .filter((text) => text !== '')
    .join('\n\n');
}

function countImages(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.filter((part) => isObject(part) && part.type === 'input_image' && stringOf(part.image_url))
    .length;
}

function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function skip(kind: string): ReadObject {
  return { entries: [], facts: {}, skipped: kind };
}
