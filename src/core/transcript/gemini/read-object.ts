import type { ByteRange, Entry, LineFacts } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, interruption, madeId, timeOf } from '../agent-place.ts';
import { knownFields, knownMarks, withGaps } from '../known-fields.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { withoutTags } from '../tagged-words.ts';

const SPEAKERS = new Set(['user', 'gemini', 'model', 'info', 'error', 'warning']);
/** A call that is still under way is read once it has ended. */
const ENDED = new Set(['success', 'error', 'cancelled']);
const UNDER_WAY = new Set(['validating', 'scheduled', 'executing', 'awaiting_approval']);
const ANSWER = knownFields(
  'answer',
  '',
  'id timestamp ts type role content parts message displayContent thoughts tokens model toolCalls',
);
const CALL = knownFields(
  'call',
  'name:s args:o status:s',
  'id result timestamp resultDisplay description displayName renderOutputAsMarkdown agentId',
);
const DONE = knownFields('call that ended', 'result|resultDisplay');
const PART = knownFields('result', 'functionResponse:o|text:s|inlineData:o|fileData:o');
const RESPONSE = knownFields('result', 'output:s|error:s');
const SESSION = knownMarks(
  'session',
  { folder: 'directories:l', title: 'summary' },
  'sessionId projectHash startTime lastUpdated kind meta messages history memoryScratchpad',
);
const SNAPSHOT = /^\s*<(?:state_snapshot|compressed_chat_history)>/;
const ADDED =
  /^\s*(?:<session_context>|This is the Gemini CLI\. We are setting up the context for our chat\.)/;

export function isGeminiObject(object: JsonObject): boolean {
  if (isObject(object.$set) || typeof object.$rewindTo === 'string') return true;
  if (typeof object.sessionId === 'string' && typeof object.projectHash === 'string') return true;
  if (!SPEAKERS.has(stringOf(object.type)) || 'message' in object || 'sessionId' in object) return false;
  return typeof object.id === 'string' && ('content' in object || 'parts' in object);
}

/**
 * A line of Gemini CLI: the session, a message, or a change to either. A message is written again whenever its calls
 * come on, so its words and each of its calls are separate: what was read before is known by its id.
 */
export function readGeminiObject(object: JsonObject, src: ByteRange): ReadObject[] {
  if (isObject(object.$set)) return readChange(object.$set, src);
  if (typeof object.$rewindTo === 'string') return [skip('$rewindTo')];
  if (typeof object.sessionId === 'string' && typeof object.projectHash === 'string')
    return [
      withGaps({ entries: titleOf(object, src), facts: factsOf(object) }, SESSION, object),
      ...messagesIn(object, src),
    ];
  return readMessage(object, src);
}

function readChange(change: JsonObject, src: ByteRange): ReadObject[] {
  const entries = titleOf(change, src);
  const facts = factsOf(change);
  const head: ReadObject = entries.length > 0 || facts.cwd ? { entries, facts } : skip('$set');
  return [withGaps(head, SESSION, change), ...messagesIn(change, src)];
}

function messagesIn({ messages }: JsonObject, src: ByteRange): ReadObject[] {
  return Array.isArray(messages)
    ? messages.filter(isObject).flatMap((message) => readMessage(message, src))
    : [];
}

function factsOf({ sessionId, directories }: JsonObject): LineFacts {
  const [cwd] = Array.isArray(directories) ? directories : [];
  return {
    ...(stringOf(sessionId) ? { sessionId: stringOf(sessionId) } : {}),
    ...(stringOf(cwd) ? { cwd: stringOf(cwd) } : {}),
  };
}

function titleOf({ summary, lastUpdated }: JsonObject, src: ByteRange): Entry[] {
  const text = stringOf(summary).trim();
  if (text === '') return [];
  const id = madeId(src, text);
  return [{ id, ts: timeOf(lastUpdated), src, kind: 'title', origin: 'machine', text, custom: false }];
}

function readMessage(message: JsonObject, src: ByteRange): ReadObject[] {
  const speaker = stringOf(message.type) || stringOf(message.role);
  const words = partsText(message.content ?? message.parts ?? message.message);
  const ts = timeOf(message.timestamp ?? message.ts);
  const place: AgentPlace = { id: stringOf(message.id) || madeId(src, words), ts, src };
  switch (speaker) {
    case 'user':
      return [userObject(message, place, words)];
    case 'gemini':
    case 'model':
    case 'assistant':
      return assistantObjects(message, place, words);
    case 'info':
    case 'error':
    case 'warning':
      if (/^Request cancelled/.test(words)) return [{ entries: [interruption(place)], facts: {} }];
      return [notice(place, words)];
    default:
      return [{ entries: [], facts: {}, unknown: speaker || 'no type' }];
  }
}

function userObject(message: JsonObject, place: AgentPlace, words: string): ReadObject {
  const parts = Array.isArray(message.content) ? message.content.filter(isObject) : [];
  const images = parts.filter((part) => isObject(part.inlineData)).length;
  if (SNAPSHOT.test(words))
    return { entries: [{ ...place, kind: 'compaction', origin: 'machine', text: words }], facts: {} };
  // The contents of an @file are only in `content`; the typed text is shown. Text of a hook precedes it.
  const shown = partsText(message.displayContent);
  const text = withoutTags(shown.trim() === '' ? words : shown, ['hook_context']);
  if (ADDED.test(text) || (text === '' && words.trim() !== '' && images === 0)) return notice(place, words);
  // A result that goes back to the model is written as the user's, and is not.
  if (words.trim() === '' && images === 0) return skip(hasResult(parts) ? 'result' : 'no words');
  return {
    entries: [{ ...place, kind: 'user', origin: 'user', text, ...(images > 0 ? { images } : {}) }],
    facts: {},
  };
}

function assistantObjects(message: JsonObject, place: AgentPlace, words: string): ReadObject[] {
  const model = stringOf(message.model);
  const of = { messageId: place.id, ...(model ? { model } : {}) };
  const objects: ReadObject[] = [];
  if (words.trim() !== '')
    objects.push({
      entries: [{ ...place, ...of, kind: 'assistant', origin: 'assistant', text: words }],
      facts: {},
    });
  const calls = Array.isArray(message.toolCalls) ? message.toolCalls.filter(isObject) : [];
  for (const call of calls) {
    const object = readCall(call, place, model);
    if (object) objects.push(object);
  }
  const thoughts = Array.isArray(message.thoughts) ? message.thoughts.length : 0;
  const empty = calls.length > 0 ? 'open call' : thoughts > 0 ? 'thoughts' : 'no words';
  const [first = skip(empty), ...others] = objects;
  return [withGaps(withGaps(first, ANSWER, message), CALL, calls.filter(isNotUnderWay)), ...others];
}

/** Of a call that continues, more is written later. */
function isNotUnderWay({ status }: JsonObject): boolean {
  return !UNDER_WAY.has(stringOf(status));
}

function hasResult(parts: JsonObject[]): boolean {
  return parts.some((part) => isObject(part.functionResponse));
}

function readCall(call: JsonObject, message: AgentPlace, model: string): ReadObject | undefined {
  const status = stringOf(call.status);
  if (status !== '' && !ENDED.has(status) && !UNDER_WAY.has(status)) return unknown(`call ${status}`);
  if (!ENDED.has(status)) return undefined;
  const toolUseId = stringOf(call.id) || madeId(message.src, stringOf(call.name));
  const place = { ...message, id: `${message.id}/${toolUseId}`, ts: timeOf(call.timestamp) || message.ts };
  const input = isObject(call.args) ? call.args : {};
  const output = resultText(call.result) || partsText(call.resultDisplay);
  const isError = status !== 'success' || /^Exit Code: [1-9]/m.test(output.replaceAll('\\n', '\n'));
  const read: ReadObject = {
    entries: [
      ...callEntries(place, { toolUseId, name: stringOf(call.name), input, ...(model ? { model } : {}) }),
      { ...place, kind: 'tool-result', origin: 'tool', toolUseId, text: output, isError },
    ],
    facts: {},
  };
  // One that was cancelled has nothing to say.
  if (status === 'cancelled') return read;
  return withGaps(withGaps(withGaps(read, DONE, call), PART, call.result), RESPONSE, responsesOf(call));
}

function responsesOf({ result }: JsonObject): unknown[] {
  const parts = Array.isArray(result) ? result.filter(isObject) : [];
  return parts.flatMap(({ functionResponse: it }) => (isObject(it) ? [it.response ?? {}] : []));
}

function resultText(result: unknown): string {
  if (!Array.isArray(result)) return partsText(result);
  const texts = result.filter(isObject).map((part) => {
    const answer = isObject(part.functionResponse) ? part.functionResponse.response : undefined;
    if (!isObject(answer)) return stringOf(part.text);
    return stringOf(answer.output) || stringOf(answer.error);
  });
  return texts.filter(Boolean).join('\n');
}

/** A text, a part, or a list of them; thoughts are not said. */
function partsText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isObject(value)) return value.thought === true ? '' : stringOf(value.text);
  return Array.isArray(value) ? value.map(partsText).filter(Boolean).join('\n') : '';
}

function notice(place: AgentPlace, text: string): ReadObject {
  return { entries: [{ ...place, kind: 'notice', origin: 'machine', text }], facts: {} };
}

function skip(kind: string): ReadObject {
  return { entries: [], facts: {}, skipped: kind };
}
