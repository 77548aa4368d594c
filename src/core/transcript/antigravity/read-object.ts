import type { ByteRange, Entry } from '../../model/entry.ts';
import { shortHash } from '../../model/ids.ts';
import { parseOutside } from '../../model/parse-stored.ts';
import { type AgentPlace, callEntries, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import type { ReadObject } from '../claude-code/read-object.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { allOf, compaction, notice, only, skipped, spoken } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { insideTags } from '../tagged-words.ts';

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
  if (type === 'USER_INPUT') {
    const isTyped = object.source === 'USER_EXPLICIT';
    return allOf(spoken(place, text, isTyped ? insideTags(text, ['USER_REQUEST']) : undefined), type);
  }
  if (type === 'CHECKPOINT') return text === '' ? skipped(type) : only(compaction(place, text));
  if (type === 'PLANNER_RESPONSE') return readAnswer(object, place, step);
  if (object.source === 'MODEL') {
    const isError = object.status === 'ERROR' || FAILED.test(text.slice(0, 400));
    return only({ ...place, kind: 'tool-result', origin: 'tool', toolUseId: `step_${step}`, text, isError });
  }
  return text.trim() === '' ? skipped(type) : only(notice(place, text));
}

function readAnswer({ content, tool_calls: list }: JsonObject, place: AgentPlace, step: number): ReadObject {
  const text = stringOf(content);
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
  return { ...allOf([...said, ...made], 'no words'), facts: cwd ? { cwd } : {} };
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
