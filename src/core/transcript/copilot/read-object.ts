import type { ByteRange, Entry, LineFacts } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, interruption, madeId, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, knownMarks, withGaps } from '../known-fields.ts';
import { hasLostText, inputOf, textIn } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { allOf, compaction, notice, only, skipped, spoken, titled, unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { withoutTags } from '../tagged-words.ts';
import { machineShape } from '../text-shape.ts';

/** Kinds of events are `subject.event`; of these subjects nothing else is remembered. */
const SUBJECTS =
  /^(?:session|system|user|assistant|tool|hook|subagent|skill|permission|abort|pending_messages|elicitation|external_tool|command|exit_plan_mode|user_input|mcp|sampling|commands|capabilities|auto_mode_switch|model)(?:\.|$)/;
const ADDED = [
  'reminder',
  'system_reminder',
  'system-reminder',
  'current_datetime',
  'environment_context',
  'skill-context',
  'tagged_files',
];

const ANSWER = knownFields(
  'answer',
  '',
  'content toolRequests messageId apiCallId clientRequestId requestId serviceRequestId interactionId turnId model outputTokens reasoningText reasoningOpaque encryptedContent rte parentToolCallId chunkIndex chunkCount phase',
);
const CALL = knownFields(
  'call',
  'name:s arguments:os',
  'toolCallId type intentionSummary toolTitle mcpServerName mcpToolName',
);
const DONE = knownFields('call that ended', 'result:os|error:os');
const RESULT = knownFields('result', 'content');
const LOST_TEXT = 'text of a result in an unknown place';
const OUTCOME = knownMarks(
  'result',
  { outcome: 'success', outcomes: 'shellExecution' },
  'rte isUserRequested alreadyInUse parentToolCallId model error result toolTelemetry',
);
const SHELL = knownMarks('result', { exit: 'exitCode' });
const SESSION = knownMarks('session', { folder: 'context:o cwd' }, 'gitRoot');
const CONTEXT = knownMarks('session', { folder: 'cwd' }, 'gitRoot');
const TITLE = knownFields('title', 'title:s');

/** Lines of GitHub Copilot's command, `session-state/<id>/events.jsonl`: `{type, data, id, timestamp, parentId}`. */
export const copilotReader: AgentReader = { is: isCopilotObject, read: readCopilotObject };

function isCopilotObject(object: JsonObject): boolean {
  return (
    isObject(object.data) &&
    typeof object.id === 'string' &&
    typeof object.timestamp === 'string' &&
    SUBJECTS.test(stringOf(object.type)) &&
    !('uuid' in object || 'sessionId' in object || 'message' in object)
  );
}

function readCopilotObject(object: JsonObject, src: ByteRange): ReadObject {
  const type = stringOf(object.type);
  const data = isObject(object.data) ? object.data : {};
  const agentId = stringOf(data.parentToolCallId) || stringOf(object.agentId);
  const place: AgentPlace = {
    id: stringOf(object.id) || madeId(src, type),
    ts: timeOf(object.timestamp),
    src,
    ...(agentId ? { agentId } : {}),
  };
  switch (type) {
    case 'session.start':
    case 'session.resume':
    case 'session.context_changed':
      return withGaps(
        withGaps({ entries: [], facts: sessionFacts(data) }, SESSION, data),
        CONTEXT,
        data.context,
      );
    case 'session.title_changed':
      return withGaps({ entries: titled(place, stringOf(data.title)), facts: {} }, TITLE, data);
    case 'user.message':
      return saidByUser(data, place);
    case 'assistant.message':
      return withGaps(
        withGaps(allOf(assistantEntries(data, place), 'no words'), ANSWER, data),
        CALL,
        data.toolRequests,
      );
    case 'tool.execution_complete':
      return readDone(data, place);
    case 'session.compaction_complete':
      return stringOf(data.summaryContent)
        ? only(compaction(place, stringOf(data.summaryContent)))
        : skipped(type);
    case 'system.notification':
    case 'session.info':
    case 'session.error':
    case 'session.warning':
      return only(notice(place, stringOf(data.content) || stringOf(data.message)));
    case 'abort':
      return only(interruption(place));
    default:
      return SUBJECTS.test(type) ? skipped(type) : unknown(type);
  }
}

function readDone(data: JsonObject, place: AgentPlace): ReadObject {
  const isLost = isObject(data.result) && hasLostText(data.result.content);
  const found = { ...only(resultOf(data, place)), ...(isLost ? { unknown: LOST_TEXT } : {}) };
  const read = withGaps(withGaps(found, DONE, data), RESULT, data.result);
  return withGaps(withGaps(read, OUTCOME, data), SHELL, data.shellExecution);
}

function sessionFacts(data: JsonObject): LineFacts {
  const context = isObject(data.context) ? data.context : data;
  const host = stringOf(context.repositoryHost) || 'github.com';
  const repository = stringOf(context.repository);
  return {
    ...(stringOf(data.sessionId) ? { sessionId: stringOf(data.sessionId) } : {}),
    ...(stringOf(context.cwd) ? { cwd: stringOf(context.cwd) } : {}),
    ...(stringOf(context.branch) ? { gitBranch: stringOf(context.branch) } : {}),
    ...(/^[\w.-]+\/[\w.-]+$/.test(repository) ? { repository: `https://${host}/${repository}` } : {}),
    ...(stringOf(data.copilotVersion) ? { version: stringOf(data.copilotVersion) } : {}),
  };
}

/** `content` is what was typed, `transformedContent` what the model got. A `source` other than the user is a program. */
function saidByUser(data: JsonObject, place: AgentPlace): ReadObject {
  const text = stringOf(data.content);
  const source = stringOf(data.source);
  const images = (Array.isArray(data.attachments) ? data.attachments : []).filter(
    (it) => isObject(it) && (it.type === 'image' || stringOf(it.mimeType).startsWith('image/')),
  ).length;
  const own = withoutTags(text, ADDED);
  const isMachine = (source !== '' && source !== 'user') || machineShape(own) !== undefined;
  return allOf(spoken(place, text, isMachine ? undefined : own, isMachine ? 0 : images), 'no words');
}

function assistantEntries(data: JsonObject, place: AgentPlace): Entry[] {
  const model = stringOf(data.model);
  const of = { messageId: stringOf(data.messageId) || place.id, ...(model ? { model } : {}) };
  const [thought, text] = [stringOf(data.reasoningText), stringOf(data.content)];
  const calls = Array.isArray(data.toolRequests) ? data.toolRequests.filter(isObject) : [];
  return [
    ...(thought.trim() === ''
      ? []
      : [{ ...place, ...of, kind: 'thinking', origin: 'assistant', text: thought } as const]),
    ...(text.trim() === ''
      ? []
      : [{ ...place, ...of, kind: 'assistant', origin: 'assistant', text } as const]),
    ...calls.flatMap((call) =>
      callEntries(place, {
        toolUseId: stringOf(call.toolCallId),
        name: stringOf(call.name),
        input: inputOf(call),
        ...(model ? { model } : {}),
      }),
    ),
  ];
}

function resultOf(data: JsonObject, place: AgentPlace): Entry {
  const error = isObject(data.error) ? stringOf(data.error.message) : stringOf(data.error);
  const text = error || textIn(isObject(data.result) ? data.result.content : data.result);
  // A command that failed is a tool that did its work.
  const exit = isObject(data.shellExecution) ? data.shellExecution.exitCode : undefined;
  const isError =
    data.success === false ||
    (data.success !== true && error !== '') ||
    (typeof exit === 'number' && exit !== 0) ||
    /with exit code [1-9]\d*>\s*$/.test(text);
  return {
    ...place,
    kind: 'tool-result',
    origin: 'tool',
    toolUseId: stringOf(data.toolCallId),
    text,
    isError,
  };
}
