import type { ByteRange } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { madeId } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { blockObject, blocksOf, textIn } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { skipped, unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';
import { insideTags, withoutTags } from '../tagged-words.ts';
import { machineShape } from '../text-shape.ts';

/** What the client puts before what was typed. */
const ADDED = (
  'user_info git_status timestamp attached_files open_and_recently_viewed_files external_links image_files cursor_commands ' +
  'rules always_applied_workspace_rules agent_requestable_workspace_rules agent_skills project_layout system_reminder ' +
  'system-reminder additional_data current_file linter_errors manually_added_selection terminal_files_information ' +
  'agent_transcripts mcp_instructions previous_tool_call background_task task_notification'
).split(' ');
/** The placeholder for thinking that the service did not send. */
const REDACTED = '[REDACTED]';

/** Lines of Cursor's command and of its agent window, `agent-transcripts/<id>/<id>.jsonl`: `{role, message}`, without ids. */
export const cursorReader: AgentReader = { is: isCursorObject, read: readCursorObject };

function isCursorObject(object: JsonObject): boolean {
  if ('uuid' in object || 'sessionId' in object || 'session_id' in object) return false;
  if (object.type === 'turn_ended') return typeof object.status === 'string';
  const { role, message } = object;
  return 'type' in object || (role !== 'user' && role !== 'assistant')
    ? false
    : isObject(message) && 'content' in message;
}

function readCursorObject(object: JsonObject, src: ByteRange): ReadObject {
  if (object.type === 'turn_ended') return skipped('turn_ended');
  const { role } = object;
  const message = isObject(object.message) ? object.message : {};
  if (role !== 'user' && role !== 'assistant') return unknown(stringOf(object.type) || stringOf(role));
  const content = blocksOf(message.content).filter(({ text }) => text !== REDACTED);
  const words = textIn(content);
  const ts = timeIn(insideTags(words, ['timestamp']));
  const model = stringOf(object.model);
  const place = { id: madeId(src, words), ts, src };
  return blockObject(place, { role, content, ownWords, isWithoutIds: true, ...(model ? { model } : {}) });
}

/** Typed words are inside `<user_query>`; words of scripts have no tag. */
function ownWords(text: string): string | undefined {
  const asked = insideTags(text, ['user_query']);
  if (asked !== undefined) return asked;
  const own = withoutTags(text, ADDED);
  return machineShape(own) ? undefined : own;
}

/** `Monday, Jan 5, 2026, 10:07 AM (UTC+1)` */
function timeIn(text: string | undefined): string {
  const [, when = '', sign = '+', hours = '', minutes = '00'] =
    /^(.*\d [AP]M) \(UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?\)$/.exec(text ?? '') ?? [];
  const offset = `${sign}${hours.padStart(2, '0')}:${minutes}`;
  const time =
    when === ''
      ? Number.NaN
      : Date.parse(`${when.replace(/^\w+day, /, '')} GMT${hours === '' ? '' : offset}`);
  return Number.isFinite(time) ? new Date(time).toISOString() : '';
}
