import type { Entry } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, madeId } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, withGaps } from '../known-fields.ts';
import { blockObject, blocksOf, hasFailed, inputOf, RESULT_MARKS, textIn } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { only, skipped, unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { insideTags, withoutTags } from '../tagged-words.ts';
import { machineShape } from '../text-shape.ts';

const KINDS = new Set(['system', 'user', 'assistant', 'tool_result', 'reasoning', 'backend_tool_call']);
/** What the client puts beside what was typed. */
const ADDED = [
  'user_info',
  'git_status',
  'system-reminder',
  'system_reminder',
  'attached_files',
  'environment',
];

const ANSWER = knownFields(
  'answer',
  '',
  'type content tool_calls model_id model_fingerprint reasoning_effort reasoning_content reasoning citations id usage',
);
const TYPED = knownFields('prompt', 'prompt_index:n');
const CALL = knownFields('call', 'name:s arguments:os|input:os|args:os', 'id type index');
const RESULT = knownFields('result', 'content');

/** Lines of Grok's command, `sessions/<folder>/<id>/chat_history.jsonl`: what the model was sent, without ids and times. */
export const grokReader: AgentReader = {
  is: (object) => {
    if (['uuid', 'sessionId', 'session_id', 'message', 'timestamp', 'payload'].some((it) => it in object))
      return false;
    const type = stringOf(object.type);
    if (type === 'backend_tool_call') return isObject(object.kind);
    if (type === 'tool_result') return typeof object.tool_call_id === 'string';
    if (type === 'assistant') return 'tool_calls' in object || 'model_id' in object;
    if (type === 'user')
      return Array.isArray(object.content) && ('prompt_index' in object || 'synthetic_reason' in object);
    return type === 'system' && typeof object.content === 'string' && !('subtype' in object);
  },
  read: (object, src) => {
    const type = stringOf(object.type);
    const place: AgentPlace = { id: madeId(src, textIn(object.content)), ts: '', src };
    switch (type) {
      case 'user':
        return readTyped(object, place);
      case 'assistant':
        return readAnswer(object, place);
      case 'tool_result': {
        const text = textIn(object.content);
        const isError = hasFailed(object) || /^exit: [1-9]|^Error:/m.test(text.slice(0, 400));
        const toolUseId = stringOf(object.tool_call_id);
        const read = only({ ...place, kind: 'tool-result', origin: 'tool', toolUseId, text, isError });
        return withGaps(withGaps(read, RESULT, object), RESULT_MARKS, object);
      }
      case 'backend_tool_call':
        return { entries: serviceCall(object, place), facts: {} };
      default:
        return KINDS.has(type) ? skipped(type) : unknown(type);
    }
  },
};

/** A message with a `synthetic_reason` is the client's; one that was typed has its number. */
function readTyped(object: JsonObject, place: AgentPlace): ReadObject {
  const isMade = 'synthetic_reason' in object;
  const isTyped = typeof object.prompt_index === 'number' && !isMade;
  const ownWords = (text: string) => (isTyped ? wordsIn(text) : undefined);
  const read = blockObject(place, { role: 'user', content: object.content, ownWords });
  const hasWords = blocksOf(object.content).some(({ text }) => (wordsIn(stringOf(text)) ?? '').trim() !== '');
  return isMade || !hasWords ? read : withGaps(read, TYPED, object);
}

function wordsIn(text: string): string | undefined {
  const own = insideTags(text, ['user_query']) ?? withoutTags(text, ADDED);
  return machineShape(own) ? undefined : own;
}

function readAnswer(object: JsonObject, place: AgentPlace): ReadObject {
  const calls = Array.isArray(object.tool_calls) ? object.tool_calls.filter(isObject) : [];
  const blocks = calls.map((call) => ({ ...call, type: 'tool_use', input: inputOf(call) }));
  const said = textIn(object.content);
  const content = [...(said.trim() === '' ? [] : [{ type: 'text', text: said }]), ...blocks];
  const model = stringOf(object.model_id);
  const ownWords = () => undefined;
  const read = blockObject(place, { role: 'assistant', content, ownWords, ...(model ? { model } : {}) });
  return withGaps(withGaps(read, ANSWER, object), CALL, calls);
}

/** Done by the service itself: no result follows. */
function serviceCall({ kind }: JsonObject, place: AgentPlace): Entry[] {
  const call = isObject(kind) ? kind : {};
  const input = isObject(call.action) ? call.action : {};
  const toolUseId = stringOf(call.id) || place.id;
  return callEntries(place, { toolUseId, name: stringOf(call.tool_type) || 'tool', input }).map(
    (it) => ({ ...it, settled: true }) as Entry,
  );
}
