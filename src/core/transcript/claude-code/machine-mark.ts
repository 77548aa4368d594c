import { isObject, type JsonObject } from '../parse-line.ts';
import { stringOf } from '../string-of.ts';

/** Where newer clients say that a prompt came from; a place that is not listed is nobody's until it is known. */
const TYPED_SOURCES = new Set([
  'typed',
  'queued',
  'pasted',
  'voice',
  'dictation',
  'suggestion',
  'sdk',
  'remote',
]);
const MACHINE_SOURCES = new Set(['system', 'hook', 'task', 'agent', 'peer', 'schedule', 'cron']);
const MACHINE_ORIGINS = new Set([
  ...MACHINE_SOURCES,
  'task-notification',
  'coordinator',
  'teammate',
  'channel',
  'auto-continuation',
  'observer',
  'observer-activity',
  'plugin',
  'unclassified',
  'voice-call',
]);
/** Fields by which newer clients say that no person typed a text: another program, a timer, another session did. */
const NOT_TYPED = [
  'textNotTyped',
  'foreignWord',
  'noPersonArrived',
  'wakeupSource',
  'scheduledTaskId',
  'forwardedIntent',
];
const TURN_ORIGINS = new Set(['', 'human', 'sdk', 'unknown']);

/** The marks that the client gives its own lines; `shape` if a mark is unknown here. */
export function machineMark(object: JsonObject): { shape?: string } | undefined {
  if (object.isMeta === true || object.isSynthetic === true || object.sourceToolUseID !== undefined)
    return {};
  if (object.isVisibleInTranscriptOnly === true || isOfNoUser(object.message)) return {};
  const kind = isObject(object.origin) ? stringOf(object.origin.kind) : stringOf(object.origin);
  if (kind !== '' && kind !== 'human') return MACHINE_ORIGINS.has(kind) ? {} : { shape: `origin ${kind}` };
  if (NOT_TYPED.some((key) => object[key] !== undefined && object[key] !== false)) return {};
  const host = stringOf(object.hostInitiator);
  if (host !== '' && host !== 'user') return {};
  const unknown = unknownMark(object);
  if (unknown !== undefined) return { shape: unknown };
  const source = stringOf(object.promptSource);
  if (source === '' || TYPED_SOURCES.has(source)) return undefined;
  return MACHINE_SOURCES.has(source) ? {} : { shape: `source ${source}` };
}

/** People are of these types; what a newer client marks in its own way is not taken for typed. */
const PEOPLE = new Set(['', 'external', 'ant', 'human']);
const PLAIN_FLAGS = new Set(['isSidechain', 'isCompactSummary']);

function unknownMark(object: JsonObject): string | undefined {
  const type = stringOf(object.userType);
  if (!PEOPLE.has(type)) return `user type ${type}`;
  const turn = stringOf(object.turnOrigin);
  if (!TURN_ORIGINS.has(turn)) return `turn of ${turn}`;
  const flag = Object.keys(object).find(
    (key) => object[key] === true && /^is[A-Z]/.test(key) && !PLAIN_FLAGS.has(key),
  );
  return flag && `flag ${flag}`;
}

/** A message that says itself that it is no user's. */
function isOfNoUser(message: unknown): boolean {
  if (!isObject(message)) return false;
  const role = stringOf(message.role);
  const kind = isObject(message.origin) ? stringOf(message.origin.kind) : '';
  return (role !== '' && role !== 'user') || (kind !== '' && kind !== 'human');
}
