import type { ByteRange, Entry } from '../../model/entry.ts';
import { shortHash } from '../../model/ids.ts';
import type { ReadObject } from '../../model/read-object.ts';
import type { JsonObject } from '../parse-line.ts';

const HUMAN = new Set(['user', 'human']);
const ASSISTANT = new Set(['assistant', 'ai', 'model', 'bot']);

/** A line of a chat; what other programs write beside a `type` of their own is theirs. */
export function isGenericObject(object: JsonObject): boolean {
  if (typeof object.role !== 'string' || 'session_id' in object || 'sessionId' in object) return false;
  return typeof object.text === 'string' || typeof object.content === 'string' || object.role === 'tool';
}

/** A line of the generic chat format, which is L1 itself: `{"ts","role","name"?,"text","id"?}`. */
export function readGenericObject(object: JsonObject, src: ByteRange): ReadObject {
  const role = string(object.role).toLowerCase();
  const words = string(object.text) || string(object.content);
  const ts = string(object.ts) || string(object.timestamp);
  if (role === '' || (words === '' && role !== 'tool'))
    return { entries: [], facts: {}, unknown: 'no role or text' };
  const facts = { ...(string(object.cwd) ? { cwd: string(object.cwd) } : {}) };
  const own = idOf(object.id);
  const place: Place = { id: own || `g_${shortHash(`${src[0]}\n${words}`, 16)}`, ts, src };
  if (own) place.ownId = true;
  if (string(object.name)) place.name = string(object.name);
  return { entries: [entryOf(object, role, words, place)], facts };
}

type Place = { id: string; ts: string; src: ByteRange; name?: string; ownId?: true };

function entryOf(object: JsonObject, role: string, words: string, place: Place): Entry {
  if (HUMAN.has(role)) return { ...place, kind: 'user', origin: 'user', text: words };
  if (ASSISTANT.has(role)) return { ...place, kind: 'assistant', origin: 'assistant', text: words };
  if (role !== 'tool') return { ...place, kind: 'notice', origin: 'machine', text: words };
  const { target, lines, diff, result } = object;
  return {
    id: place.id,
    ts: place.ts,
    src: place.src,
    kind: 'tool-call',
    origin: 'assistant',
    toolUseId: '',
    name: place.name ?? 'tool',
    input: { target: string(target) || words, lines, diff, result },
    settled: true,
  };
}

function idOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : string(value);
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
