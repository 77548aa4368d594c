import type { ByteRange, Entry } from '../../model/entry.ts';
import { shortHash } from '../../model/ids.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, interruption, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, withGaps } from '../known-fields.ts';
import { blockObject, hasFailed, hasLostText, inputOf, RESULT_MARKS, textIn } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { allOf, compaction, only, skipped, spoken, unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';

/** Kinds of bookkeeping: what they say of the conversation is said by `context.` lines, too. */
const QUIET =
  /^(?:metadata|(?:config|tools|llm|usage|token_counting|turn|plan_mode|full_compaction|profile|plugin|runtime|goal|cron|todo|task|mcp|swarm|skill|session|permission|plan|background|shell|agent|subagent|hook|media|file|prompt|checkpoint)\.[a-z_.]+|context\.(?:undo|clear|update_token_count|spliced|reset))$/;
const LINE = knownFields('line', 'time:n');
const SAID = knownFields('message', 'origin:o');
const CALL = knownFields('call', 'name:s args:os|arguments:os|input:os');
const DONE = knownFields('call that ended', 'result:o');
const ORIGIN = knownFields('origin', 'kind:s');
const RESULT = knownFields('result', 'output|message');
const LOST_TEXT = 'text of a result in an unknown place';
const STEPS = new Set(['step.begin', 'step.end']);

/**
 * Lines of Kimi Code, `sessions/<folder>/<session>/agents/<agent>/wire.jsonl`, by what its client (`@moonshot-ai/kimi-code` on
 * npm) sends of them to its agent: `context.append_message` is what was said to the agent, with its origin, and
 * `context.append_loop_event` what the agent said and called.
 */
export const kimiReader: AgentReader = {
  is: (object) => {
    if ('sessionId' in object || 'uuid' in object || 'data' in object || 'payload' in object) return false;
    const type = stringOf(object.type);
    if (type === 'metadata') return typeof object.protocol_version === 'string';
    return typeof object.time === 'number' && /^[a-z_]+\.[a-z_.]+$/.test(type);
  },
  read: (object, src) => {
    const type = stringOf(object.type);
    const ts = timeOf(object.time);
    if (type === 'context.append_message') return withGaps(readMessage(object, { src, ts }), LINE, object);
    if (type === 'context.append_loop_event') return withGaps(readEvent(object, { src, ts }), LINE, object);
    const place: AgentPlace = { id: idOf(ts, type), ts, src };
    if (type === 'context.apply_compaction') {
      const summary = textIn(object.summary) || textIn(object.contextSummary);
      return summary ? only(compaction(place, summary)) : skipped(type);
    }
    if (type === 'turn.cancel') return only(interruption(place));
    if (type === 'permission.record_approval_result') return allOf(refusalWords(object, place), type);
    return QUIET.test(type) ? skipped(type) : unknown(type);
  },
};

/** By its time and words: a fork repeats its lines with their times. */
function idOf(ts: string, words: string): string {
  return `a_${shortHash(`${ts}\n${words}`, 16)}`;
}

type At = { src: ByteRange; ts: string };

function readMessage(object: JsonObject, { src, ts }: At): ReadObject {
  const message = isObject(object.message) ? object.message : {};
  const { role, content } = message;
  const place: AgentPlace = { id: stringOf(message.id) || idOf(ts, textIn(content)), ts, src };
  if (role === 'assistant') return blockObject(place, { role, content, ownWords: () => undefined });
  if (role !== 'user') return unknown(`message of ${stringOf(role) || 'nobody'}`);
  const origin = isObject(message.origin) ? stringOf(message.origin.kind) : '';
  if (origin === 'compaction_summary') return only(compaction(place, textIn(content)));
  // Only what has the origin of a person was typed; reminders, skills, timers and tasks have origins of their own.
  const isTyped = origin === 'user';
  const read = blockObject(place, { role, content, ownWords: (text) => (isTyped ? text : undefined) });
  return withGaps(withGaps(read, SAID, message), ORIGIN, message.origin);
}

function readEvent(object: JsonObject, { src, ts }: At): ReadObject {
  const event = isObject(object.event) ? object.event : {};
  const type = stringOf(event.type);
  const id = stringOf(event.uuid) || idOf(ts, type);
  const place: AgentPlace = { id: type === 'tool.result' ? `${id}/result` : id, ts, src };
  switch (type) {
    case 'content.part':
      return readPart(isObject(event.part) ? event.part : {}, place, stringOf(event.stepUuid) || id);
    case 'tool.call': {
      const toolUseId = stringOf(event.toolCallId) || id;
      const calls = callEntries(place, { toolUseId, name: stringOf(event.name), input: inputOf(event) });
      return withGaps(allOf(calls, type), CALL, event);
    }
    case 'tool.result': {
      const result = isObject(event.result) ? event.result : {};
      const text = textIn(result.output) || textIn(result.message);
      const toolUseId = stringOf(event.toolCallId) || stringOf(event.parentUuid);
      const isError = hasFailed(result);
      // A call is written with the same id: of two calls the nearer one has this result.
      const own = { ...place, id: `${place.id}/${ts}` };
      const found = only({ ...own, kind: 'tool-result', origin: 'tool', toolUseId, text, isError });
      const read = text === '' && hasLostText(result) ? { ...found, unknown: LOST_TEXT } : found;
      return withGaps(
        withGaps(withGaps(read, DONE, event), RESULT, event.result),
        RESULT_MARKS,
        event.result,
      );
    }
    default:
      return STEPS.has(type) ? skipped(type) : unknown(`event ${type || 'without type'}`);
  }
}

function readPart(part: JsonObject, place: AgentPlace, messageId: string): ReadObject {
  const type = stringOf(part.type);
  const text = stringOf(part.text) || stringOf(part.think);
  if (text.trim() === '') return skipped('no words');
  if (type === 'text')
    return only({ ...place, messageId, kind: 'assistant', origin: 'assistant', text } as Entry);
  if (type === 'think')
    return only({ ...place, messageId, kind: 'thinking', origin: 'assistant', text } as Entry);
  return unknown(`part ${type}`);
}

/** What a person wrote when they refused a call. */
function refusalWords({ result }: JsonObject, place: AgentPlace): Entry[] {
  const { decision, feedback } = isObject(result) ? result : {};
  const words = stringOf(feedback);
  if (decision !== 'rejected' || words.trim() === '') return [];
  return spoken(place, words, words);
}
