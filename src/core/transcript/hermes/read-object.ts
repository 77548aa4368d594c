import type { ByteRange } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, knownMarks, withGaps } from '../known-fields.ts';
import {
  blockObject,
  blocksOf,
  contentId,
  hasFailed,
  inputOf,
  RESULT_MARKS,
  textIn,
} from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { only, skipped, unknown } from '../read-parts.ts';
import { isStaged, stagedRow } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';
import { machineShape } from '../text-shape.ts';

const AGENT = 'hermes';
const FAILED = /"(?:error|exit_code)":\s*(?:"[^"]|[1-9])|^Error\b/;

const ANSWER = knownFields(
  'answer',
  '',
  'number id role content timestamp reasoning reasoning_content reasoning_details codex_reasoning_items codex_message_items tool_calls finish_reason',
);
const CALL = knownFields('call', 'name:s arguments:os');
const RESULT = knownFields('result', 'content');
const SESSION = knownMarks('session', { folder: 'cwd model_config:o' });
const CONFIG = knownMarks('session', { folder: 'cwd' });

/** Sessions of Hermes, `sessions/session_<id>.json`, from the lines that are made of them: messages as the service has them. */
export const hermesReader: AgentReader = {
  is: (object) => isStaged(object, AGENT),
  read: (object, src) => {
    const { kind, row } = stagedRow(object, AGENT) ?? { kind: '', row: {} };
    if (kind === 'session') return readSession(row);
    return kind === 'message' ? readMessage(row, src) : unknown(kind);
  },
};

function readSession(session: JsonObject): ReadObject {
  const { session_id: id, cwd, model_config: config } = session;
  const folder = stringOf(cwd) || (isObject(config) ? stringOf(config.cwd) : '');
  const isPath = /^(?:\/|[A-Za-z]:)/.test(folder);
  const facts = { sessionId: stringOf(id), ...(isPath ? { cwd: folder } : {}) };
  return withGaps(withGaps({ entries: [], facts }, SESSION, session), CONFIG, folder === '' ? config : []);
}

function readMessage(message: JsonObject, src: ByteRange): ReadObject {
  const ts = timeOf(message.timestamp);
  const { role } = message;
  const own = `${stringOf(message.number)} ${textIn(message.content)}`;
  const place: AgentPlace = { id: contentId(message.id, { src: [0, 0], ts }, own), ts, src };
  if (role === 'user') return blockObject(place, { role, content: message.content, ownWords });
  if (role === 'tool') {
    const text = textIn(message.content);
    const isError = hasFailed(message) || FAILED.test(text.slice(0, 2000));
    const toolUseId = stringOf(message.tool_call_id);
    const read = only({ ...place, kind: 'tool-result', origin: 'tool', toolUseId, text, isError });
    return withGaps(withGaps(read, RESULT, message), RESULT_MARKS, message);
  }
  if (role !== 'assistant')
    return role === 'system' || role === 'session_meta'
      ? skipped(role)
      : unknown(`message of ${stringOf(role) || 'nobody'}`);
  const called = (Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : []).map(
    (call): [JsonObject, JsonObject] => [call, isObject(call.function) ? call.function : call],
  );
  const calls = called.map(([{ id }, of]) => ({
    type: 'tool_use',
    id: stringOf(id),
    name: stringOf(of.name),
    input: inputOf(of),
  }));
  const read = blockObject(place, { role, content: [...blocksOf(message.content), ...calls], ownWords });
  return withGaps(
    withGaps(read, ANSWER, message),
    CALL,
    called.map(([, of]) => of),
  );
}

function ownWords(text: string): string | undefined {
  return machineShape(text) ? undefined : text;
}
