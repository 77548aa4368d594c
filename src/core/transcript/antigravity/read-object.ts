import type { ByteRange, Entry } from '../../model/entry.ts';
import { shortHash } from '../../model/ids.ts';
import { parseOutside } from '../../model/parse-stored.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, knownMarks, withGaps, withOddWord } from '../known-fields.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { allOf, compaction, notice, only, skipped, spoken } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { insideTags } from '../tagged-words.ts';

const ANSWER = knownFields(
  'answer',
  '',
  'step_index source type status created_at content thinking tool_calls telemetry truncated_fields',
);
const CALL = knownFields('call', 'name:s args:o');
const RESULT = knownFields('result', 'content');
const COMMAND = knownMarks('command', { folder: 'Cwd' }, 'CommandLine');
const STATUSES = new Set(
  'DONE ERROR RUNNING PENDING WAITING IN_PROGRESS CANCELED CANCELLED HALTED'.split(' '),
);
const SOURCES = /^(?:MODEL|SYSTEM|USER_[A-Z_]+)$/;
const FAILED = /^The command failed|exit code:? [1-9]|^Error:/m;

/**
 * Lines of Antigravity, `brain/<id>/.system_generated/logs/transcript.jsonl`: numbered steps. What a person typed is inside
 * `<USER_REQUEST>`; each call of an answer is followed by the step that it became.
 */
export const antigravityReader: AgentReader = {
  is: (object) =>
    typeof object.step_index === 'number' &&
    typeof object.type === 'string' &&
    'source' in object &&
    'status' in object,
  read: readStep,
};

function readStep(object: JsonObject, src: ByteRange): ReadObject {
  const type = stringOf(object.type);
  const text = stringOf(object.content);
  const ts = /^\d{4}-/.test(stringOf(object.created_at)) ? timeOf(object.created_at) : '';
  const step = Number(object.step_index);
  const place: AgentPlace = { id: `a_${shortHash(`${ts}\n${step} ${type}\n${text}`, 16)}`, ts, src };
  if (!SOURCES.test(stringOf(object.source))) return oddStep(object, place);
  if (type === 'USER_INPUT') {
    const isTyped = object.source === 'USER_EXPLICIT';
    return allOf(spoken(place, text, isTyped ? insideTags(text, ['USER_REQUEST']) : undefined), type);
  }
  if (object.source === 'USER_EXPLICIT') return oddStep(object, place);
  if (type === 'CHECKPOINT') return text === '' ? skipped(type) : only(compaction(place, text));
  if (type === 'PLANNER_RESPONSE') return readAnswer(object, place, step);
  if (object.source === 'MODEL') {
    if (object.tool_calls !== undefined || object.thinking !== undefined) return oddStep(object, place);
    const isError = object.status === 'ERROR' || FAILED.test(text.slice(0, 400));
    const toolUseId = `step_${step}`;
    const read = only({ ...place, kind: 'tool-result', origin: 'tool', toolUseId, text, isError });
    return object.status === 'DONE'
      ? withGaps(read, RESULT, object)
      : withOddWord(read, 'step', object.status, STATUSES);
  }
  return text.trim() === '' ? skipped(type) : only(notice(place, text));
}

/** Of somebody or of a kind that is not known: whose words they are is not known either. */
function oddStep({ content, source, type }: JsonObject, place: AgentPlace): ReadObject {
  const text = stringOf(content);
  const unknown = `step ${stringOf(type)} of ${stringOf(source) || 'nobody'}`;
  return { entries: text.trim() === '' ? [] : [notice(place, text)], facts: {}, unknown };
}

function readAnswer(object: JsonObject, place: AgentPlace, step: number): ReadObject {
  const { tool_calls: list } = object;
  const text = stringOf(object.content);
  const said: Entry[] =
    text.trim() === ''
      ? []
      : [{ ...place, messageId: place.id, kind: 'assistant', origin: 'assistant', text }];
  const calls = (Array.isArray(list) ? list.filter(isObject) : []).map(({ name, args }) => ({
    name: stringOf(name),
    input: plainInput(isObject(args) ? args : {}),
  }));
  const made = calls.flatMap(({ name, input }, index) =>
    callEntries(place, { toolUseId: `step_${step + 1 + index}`, name, input }),
  );
  const cwd = calls.map(({ input }) => stringOf(input.Cwd)).find((it) => /^(?:\/|[A-Za-z]:)/.test(it));
  const read = { ...allOf([...said, ...made], 'no words'), facts: cwd ? { cwd } : {} };
  const commands = calls.filter(({ name }) => name === 'run_command').map(({ input }) => input);
  return withGaps(withGaps(withGaps(read, ANSWER, object), CALL, list), COMMAND, commands);
}

/** Values are written as JSON inside of JSON. */
function plainInput(args: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' ? (parseOutside(value) ?? value) : value,
    ]),
  );
}
