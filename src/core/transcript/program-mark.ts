import { isObject, type JsonObject } from './parse-line.ts';
import { stringOf } from './string-of.ts';

/** Flags by which clients say that a message was not typed. */
const FLAG =
  /^(?:is_?)?(?:meta|synthetic|hidden|internal|system|automated|automatic|generated|system_?generated|auto_?generated|injected|ephemeral|scheduled)$/i;
/** Fields that name the sender of a message, and senders that are not persons. */
const FROM =
  /^(?:origin|source|author|sender|initiator|provenance|visibility|message_?source|prompt_?source)$/i;
const PROGRAM =
  /^(?:system|internal[_-]?system|inter[_-]?session|hook|hooks|agent|sub-?agent|assistant|llm[_-]?only|peer|teammate|coordinator|schedule[rd]?|cron|timer|heartbeat|tool|bot|automation|automatic|plugin|task|task-notification|monitor|webhook|ci|synthetic|internal)$/i;
/** Where clients put a message into an envelope. */
const INSIDE = ['row', 'message', 'data', 'payload', 'part', 'metadata', 'meta'];

/** The mark by which a line of any client says that no person typed its words; undefined if it has none. */
export function programMark(object: JsonObject): string | undefined {
  for (const [key, value] of Object.entries(object)) {
    if (value === true && FLAG.test(key)) return `flag ${key}`;
    const from =
      isObject(value) && FROM.test(key) ? stringOf(value.kind) || stringOf(value.type) : stringOf(value);
    if (from !== '' && FROM.test(key) && PROGRAM.test(from)) return `${key} ${from}`;
  }
  for (const key of INSIDE) {
    const inner = object[key];
    const found = isObject(inner) ? programMark(inner) : undefined;
    if (found) return found;
  }
  return undefined;
}
