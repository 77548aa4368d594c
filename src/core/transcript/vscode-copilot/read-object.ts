import type { ByteRange, Entry } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, interruption, madeId, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, knownMarks, withGaps } from '../known-fields.ts';
import { withLostCalls } from '../lost-words.ts';
import { hasFailed, hasLostText, inputOf, RESULT_MARKS, textIn } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { allOf, spoken, titled, unknown } from '../read-parts.ts';
import { isStaged, stagedRow } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';
import { responseEntries } from './response-parts.ts';

const AGENT = 'vscode-copilot';
const CALL = knownFields('call', 'id:s name:s arguments:os|args:os|input:os');
/** A request has a list for its answer from the start. */
const REQUEST = knownFields('request', 'response:l');
const PARTS = knownMarks('request', {
  rest: 'message:os result:o metadata:o toolCallRounds:l toolCallResults:o',
});
const ROUND = knownMarks('answer', { rest: 'response:s toolCalls:l' });
const RESULTS = knownFields('answer with calls', 'toolCallResults:o');
const RESULT = knownFields('result', 'content');
const TITLE = knownFields('title', 'customTitle:s');
const LOST_TEXT = 'text of a result in an unknown place';

/**
 * Chats of Copilot in VS Code: a request is what was typed and all that was answered to it. Untried with a real file: read by
 * src/vs/workbench/contrib/chat/common/model/chatModel.ts (`IExportableChatData`, `ISerializableChatRequestData`) of
 * microsoft/vscode on GitHub.
 */
export const vscodeReader: AgentReader = {
  is: (object) => isStaged(object, AGENT),
  read: (object, src) => {
    const { kind, row } = stagedRow(object, AGENT) ?? { kind: '', row: {} };
    const place = { id: madeId(src, kind), ts: timeOf(row.creationDate), src };
    if (kind === 'session') return { entries: [], facts: { sessionId: stringOf(row.sessionId) } };
    if (kind === 'title')
      return withGaps({ entries: titled(place, stringOf(row.customTitle)), facts: {} }, TITLE, row);
    return kind === 'request' ? readRequest(row, src) : unknown(kind);
  },
};

function readRequest(request: JsonObject, src: ByteRange): ReadObject[] {
  const id = stringOf(request.requestId) || madeId(src, JSON.stringify(request.message ?? ''));
  const ts = timeOf(request.timestamp);
  const asked: AgentPlace = { id, ts, src };
  const place = { ...asked, id: `${id}/answer` };
  const model = stringOf(request.modelId);
  const read = [
    allOf(askedBy(request, asked), 'no words'),
    withAnswerGaps(allOf(answerEntries(request, place, model), 'no answer'), request),
  ];
  if (request.isCanceled === true) read.push(allOf([interruption({ ...asked, id: `${id}/end` })], 'end'));
  return read;
}

function withAnswerGaps(read: ReadObject, request: JsonObject): ReadObject {
  const { result, rounds, metadata, results } = roundsOf(request);
  const calls = rounds.flatMap(({ toolCalls }) => (Array.isArray(toolCalls) ? toolCalls : []));
  const formed = withGaps(
    withGaps(withGaps(read, REQUEST, request), PARTS, [request, result, metadata]),
    ROUND,
    rounds,
  );
  const whole = withGaps(withLostCalls(formed, request), CALL, calls);
  const all = Object.values(results);
  const answered = withGaps(whole, RESULTS, calls.length > 0 ? metadata : []);
  const found = withGaps(withGaps(answered, RESULT, all), RESULT_MARKS, all);
  const isLost = Object.values(results).some((it) => isObject(it) && hasLostText(it.content));
  return isLost && found.unknown === undefined ? { ...found, unknown: LOST_TEXT } : found;
}

function roundsOf(request: JsonObject) {
  const result = isObject(request.result) ? request.result : {};
  const metadata = isObject(result.metadata) ? result.metadata : {};
  const rounds = Array.isArray(metadata.toolCallRounds) ? metadata.toolCallRounds.filter(isObject) : [];
  const results = isObject(metadata.toolCallResults) ? metadata.toolCallResults : {};
  return { result, metadata, rounds, results };
}

/** `text` is the typed text. Messages sent by a button or a participant are marked. */
function askedBy(request: JsonObject, place: AgentPlace): Entry[] {
  const message = isObject(request.message) ? request.message : {};
  const text = stringOf(message.text) || stringOf(request.message);
  const isMachine =
    request.isSystemInitiated === true ||
    request.hiddenFromTranscript === true ||
    request.requestHiddenFromTranscript === true ||
    isObject(request.confirmation) ||
    stringOf(request.confirmation) !== '';
  const variables = isObject(request.variableData) ? request.variableData.variables : [];
  const images = (Array.isArray(variables) ? variables : []).filter(
    (it) => isObject(it) && it.kind === 'image',
  ).length;
  return spoken(place, text, isMachine ? undefined : text, isMachine ? 0 : images);
}

/** Rounds have every call with its arguments; where there are none, the parts that were shown are read. */
function answerEntries(request: JsonObject, place: AgentPlace, model: string): Entry[] {
  const { result, rounds, results } = roundsOf(request);
  const error = isObject(result.errorDetails) ? stringOf(result.errorDetails.message) : '';
  const end: Entry[] = error === '' ? [] : [{ ...place, kind: 'notice', origin: 'machine', text: error }];
  const shown = responseEntries(request.response, place, model);
  if (!rounds.some(({ response, toolCalls }) => stringOf(response) !== '' || Array.isArray(toolCalls)))
    return [...shown, ...end];
  const of = { messageId: place.id, ...(model ? { model } : {}) };
  const roundEntries = rounds.flatMap((round): Entry[] => {
    const text = stringOf(round.response);
    const thought = isObject(round.thinking) ? textIn(round.thinking.text) : '';
    const calls = Array.isArray(round.toolCalls) ? round.toolCalls.filter(isObject) : [];
    return [
      ...(thought.trim() === ''
        ? []
        : [{ ...place, ...of, kind: 'thinking', origin: 'assistant', text: thought } as const]),
      ...(text.trim() === ''
        ? []
        : [{ ...place, ...of, kind: 'assistant', origin: 'assistant', text } as const]),
      ...calls.flatMap((call) => callWithResult(call, results, place, model)),
    ];
  });
  // The last words may be in what was shown only.
  const said = new Set(
    roundEntries.flatMap((entry) => (entry.kind === 'assistant' ? entry.text.trim() : [])),
  );
  const last = shown
    .filter((entry) => entry.kind === 'assistant' && !said.has(entry.text.trim()))
    .slice(said.size > 0 ? shown.length : -1);
  return [...roundEntries, ...last, ...end];
}

function callWithResult(call: JsonObject, results: JsonObject, place: AgentPlace, model: string): Entry[] {
  const toolUseId = stringOf(call.id) || `${place.id}/${stringOf(call.name)}`;
  const made = callEntries(place, {
    toolUseId,
    name: stringOf(call.name),
    input: inputOf(call),
    ...(model ? { model } : {}),
  });
  const own = Object.hasOwn(results, toolUseId) ? results[toolUseId] : undefined;
  if (!isObject(own)) return made.map((it) => ({ ...it, settled: true }) as Entry);
  const text = textIn(own.content);
  const isError =
    hasFailed(own) || /^(?:ERROR|Error):? /.test(text) || /Command exited with code [1-9]/.test(text);
  return [...made, { ...place, kind: 'tool-result', origin: 'tool', toolUseId, text, isError }];
}
