import type { ByteRange, Entry, LineFacts } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, madeId, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, knownMarks, withGaps, withOddWord } from '../known-fields.ts';
import { inputOf } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { allOf, compaction, notice, skipped, spoken, titled, unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { withoutTags } from '../tagged-words.ts';
import { machineShape } from '../text-shape.ts';

const TYPES = new Set(['user', 'assistant', 'tool_result', 'system']);
/** Typed while the agent worked, and what a person sends in other ways; every other subtype is the client's. */
const PERSONS = new Set(['', 'mid_turn_user_message']);
const ADDED = ['system-reminder', 'session_context', 'hook_context', 'environment_context'];
const SETTING_UP =
  /^\s*(?:This is the Qwen Code\.|Got it\. Thanks for the context|--- Content from referenced files ---)/;

const PART = knownFields(
  'part',
  'text:s|thought|functionCall:o|functionResponse:o|inlineData:o|fileData:o',
  'thoughtSignature executableCode codeExecutionResult videoMetadata',
);
const CALL = knownFields('call', 'name:s args:o', 'id');
const RESULT = knownFields('result', 'response:o');
const RESPONSE = knownFields('result', 'output:s|error:s');
const OUTCOME = knownMarks(
  'result',
  { outcome: 'status:s' },
  'callId resultDisplay responseParts error errorType',
);
const STATUSES = new Set(['success', 'error', 'cancelled']);
const LINE = knownMarks(
  'line',
  { folder: 'cwd', outcomes: 'toolCallResult' },
  'message systemPayload usageMetadata',
);
const TITLE = knownFields('title', 'customTitle:s');

/** Lines of Qwen Code: the envelope of Claude Code around the parts of Gemini's service. */
export const qwenReader: AgentReader = { is: isQwenObject, read: readQwenObject };

function isQwenObject(object: JsonObject): boolean {
  if (!TYPES.has(stringOf(object.type)) || typeof object.sessionId !== 'string') return false;
  if (typeof object.uuid !== 'string') return false;
  return 'systemPayload' in object || (isObject(object.message) && 'parts' in object.message);
}

function readQwenObject(object: JsonObject, src: ByteRange): ReadObject {
  const ts = timeOf(object.timestamp);
  const place: AgentPlace = { id: stringOf(object.uuid) || madeId(src, ts), ts, src };
  const facts = factsOf(object);
  const read = readKind(object, place);
  return withGaps({ ...read, facts }, LINE, object);
}

function factsOf({ sessionId, cwd, version, gitBranch, agentId, isSidechain }: JsonObject): LineFacts {
  return {
    ...(stringOf(sessionId) ? { sessionId: stringOf(sessionId) } : {}),
    ...(stringOf(cwd) ? { cwd: stringOf(cwd) } : {}),
    ...(stringOf(version) ? { version: stringOf(version) } : {}),
    ...(stringOf(gitBranch) ? { gitBranch: stringOf(gitBranch) } : {}),
    ...(isSidechain === true && stringOf(agentId) ? { sidechain: true, agentId: stringOf(agentId) } : {}),
  };
}

function readKind(object: JsonObject, at: AgentPlace): ReadObject {
  const type = stringOf(object.type);
  const subtype = stringOf(object.subtype);
  const payload = isObject(object.systemPayload) ? object.systemPayload : {};
  const message = isObject(object.message) ? object.message : {};
  const parts = Array.isArray(message.parts) ? message.parts.filter(isObject) : [];
  const agentId = stringOf(object.agentId);
  const place = object.isSidechain === true && agentId !== '' ? { ...at, agentId } : at;
  switch (type) {
    case 'user':
      return PERSONS.has(subtype)
        ? saidByUser(parts, payload, place)
        : allOf([notice(place, wordsOf(parts))], subtype);
    case 'assistant': {
      const read = allOf(assistantEntries(parts, place, stringOf(object.model)), 'no words');
      const calls = parts.map(({ functionCall }) => functionCall);
      return withGaps(withGaps(read, PART, parts), CALL, calls);
    }
    case 'tool_result': {
      const read = allOf(resultEntries(parts, object.toolCallResult, place), 'no result');
      const results = parts.map(({ functionResponse }) => functionResponse).filter(isObject);
      const responses = results.map(({ response }) => response);
      const found = withGaps(withGaps(withGaps(read, PART, parts), RESULT, results), RESPONSE, responses);
      return withOutcomeGaps(found, object.toolCallResult);
    }
    case 'system':
      return readSystem(subtype, payload, place);
    default:
      return unknown(type);
  }
}

function withOutcomeGaps(read: ReadObject, outcome: unknown): ReadObject {
  if (!isObject(outcome)) return read;
  return withOddWord(withGaps(read, OUTCOME, outcome), 'call', outcome.status, STATUSES);
}

/** What was typed is shown apart from what files and hooks added to it. */
function saidByUser(parts: JsonObject[], payload: JsonObject, place: AgentPlace): ReadObject {
  const text = wordsOf(parts);
  const shown = stringOf(payload.displayText);
  const images = parts.filter((part) => isObject(part.inlineData)).length;
  const own = withoutTags(shown || text.split('\n--- Content from referenced files ---')[0]!, ADDED);
  const isMachine = machineShape(own) !== undefined || SETTING_UP.test(own);
  return allOf(spoken(place, text, isMachine ? undefined : own, images), 'no words');
}

function assistantEntries(parts: JsonObject[], place: AgentPlace, model: string): Entry[] {
  const of = { messageId: place.id, ...(model ? { model } : {}) };
  return parts.flatMap((part): Entry[] => {
    const call = isObject(part.functionCall) ? part.functionCall : undefined;
    if (call) {
      const [name, toolUseId] = [
        stringOf(call.name),
        stringOf(call.id) || `${place.id}/${stringOf(call.name)}`,
      ];
      return callEntries(place, { name, toolUseId, input: inputOf(call), ...(model ? { model } : {}) });
    }
    const text = stringOf(part.text);
    if (text.trim() === '') return [];
    const kind = part.thought === true ? 'thinking' : 'assistant';
    return [{ ...place, ...of, kind, origin: 'assistant', text }];
  });
}

function resultEntries(parts: JsonObject[], toolResult: unknown, place: AgentPlace): Entry[] {
  const status = isObject(toolResult) ? stringOf(toolResult.status) : '';
  return parts.flatMap((part): Entry[] => {
    const result = isObject(part.functionResponse) ? part.functionResponse : undefined;
    if (!result) return [];
    const answer = isObject(result.response) ? result.response : {};
    const text = stringOf(answer.error) || stringOf(answer.output);
    const isError =
      'error' in answer || status === 'error' || status === 'cancelled' || /^Exit Code: [1-9]/m.test(text);
    return [{ ...place, kind: 'tool-result', origin: 'tool', toolUseId: stringOf(result.id), text, isError }];
  });
}

function readSystem(subtype: string, payload: JsonObject, place: AgentPlace): ReadObject {
  if (subtype === 'custom_title' || payload.customTitle !== undefined)
    return withGaps(
      { entries: titled(place, stringOf(payload.customTitle), payload.titleSource !== 'auto'), facts: {} },
      TITLE,
      payload,
    );
  if (subtype === 'chat_compression') return allOf([compaction(place, stringOf(payload.summary))], subtype);
  return skipped(`system ${subtype}`.trim());
}

function wordsOf(parts: JsonObject[]): string {
  return parts
    .filter((part) => part.thought !== true)
    .map((part) => stringOf(part.text))
    .filter(Boolean)
    .join('\n');
}
