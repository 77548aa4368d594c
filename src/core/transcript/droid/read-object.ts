import type { ByteRange } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownMarks, withGaps } from '../known-fields.ts';
import { blockObject, blocksOf, contentId, textIn } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { compaction, only, skipped, titled, unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { withoutTags } from '../tagged-words.ts';
import { machineShape } from '../text-shape.ts';

const ADDED = ['system-reminder', 'system-notification', 'environment_context', 'skill_content'];
const SESSION = knownMarks('session', { folder: 'cwd', title: 'title sessionTitle' }, 'id owner');
const QUIET = new Set(['todo_state', 'session_end', 'tool_state', 'compaction_start']);

/** Lines of Factory's Droid, `~/.factory/sessions/<path>/<id>.jsonl`: a `session_start`, then messages of blocks. */
export const droidReader: AgentReader = {
  is: (object) => {
    if ('sessionId' in object || 'session_id' in object || 'uuid' in object) return false;
    if (object.type === 'session_start') return typeof object.id === 'string';
    return object.type === 'message' && isObject(object.message) && Array.isArray(object.message.content);
  },
  read: readDroidObject,
};

function readDroidObject(object: JsonObject, src: ByteRange): ReadObject {
  const type = stringOf(object.type);
  const message = isObject(object.message) ? object.message : {};
  const ts = timeOf(object.timestamp);
  const place: AgentPlace = { id: contentId(object.id, { src, ts }, message.content), ts, src };
  if (type === 'session_start') {
    const { id, cwd, title, sessionTitle } = object;
    const facts = { sessionId: stringOf(id), ...(stringOf(cwd) ? { cwd: stringOf(cwd) } : {}) };
    const entries = titled(place, stringOf(sessionTitle) || stringOf(title));
    return withGaps({ entries, facts }, SESSION, object);
  }
  if (type === 'compaction_state') return only(compaction(place, stringOf(object.summaryText)));
  if (type !== 'message') return QUIET.has(type) ? skipped(type) : unknown(type);
  const { role } = message;
  if (role !== 'user' && role !== 'assistant') return unknown(`message of ${stringOf(role) || 'nobody'}`);
  const content = blocksOf(message.content).map(withOutcome);
  return blockObject(place, { role, content, ownWords });
}

function ownWords(text: string): string | undefined {
  const own = withoutTags(text, ADDED);
  return machineShape(own) ? undefined : own;
}

/** A failed command is recognizable only by the words of its result. */
function withOutcome(block: JsonObject): JsonObject {
  const isFailed = block.type === 'tool_result' && /^Error: |exit code: [1-9]/.test(textIn(block.content));
  return isFailed ? { ...block, is_error: true } : block;
}
