import type { ByteRange, Entry, LineFacts } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, interruption, madeId, timeOf } from '../agent-place.ts';
import { knownFields, knownMarks, withGaps, withOddWord } from '../known-fields.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { unknown } from '../read-parts.ts';
import { stringOf } from '../string-of.ts';

/** The field that marks a line which Keepsake wrote from OpenCode's database. */
const MARK = 'opencode';
const CALL = knownFields('call', 'tool:s state:o');
const STATE = knownFields('call', 'status:s input:o');
const DONE = knownFields('call that ended', 'output:s|error:s');
const SESSION = knownMarks(
  'session',
  { folder: 'directory', title: 'title' },
  'id slug projectID project_id path agent model version time share share_url metadata revert permission parentID parent_id',
);
const RAN = knownMarks('result', { outcomes: 'metadata' }, 'input output time attachments');
const EXIT = knownMarks('result', { exit: 'exit' });
const STATUSES = new Set(['pending', 'running', 'completed', 'error']);
const QUIET = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'agent', 'retry', 'subtask']);

export function isOpenCodeObject(object: JsonObject): boolean {
  return typeof object[MARK] === 'string';
}

/** A line as the archive keeps OpenCode's rows: `session`, `message` or `part`, with the row itself beside it. */
export function readOpenCodeObject(object: JsonObject, src: ByteRange): ReadObject {
  const row = isObject(object.row) ? object.row : {};
  switch (object[MARK]) {
    case 'session':
      return withGaps({ entries: title(row, src), facts: sessionFacts(row) }, SESSION, row);
    case 'message':
      return readMessage(row, src);
    case 'part':
      return readPart(object, row, src);
    default:
      return { entries: [], facts: {}, unknown: stringOf(object[MARK]) || 'no type' };
  }
}

/** A session that another one started is a subagent of it. */
function sessionFacts(row: JsonObject): LineFacts {
  const own = stringOf(row.id);
  const parent = stringOf(row.parentID) || stringOf(row.parent_id);
  const facts: LineFacts = parent ? { sessionId: parent, sidechain: true, agentId: own } : {};
  if (!parent && own) facts.sessionId = own;
  if (stringOf(row.directory)) facts.cwd = stringOf(row.directory);
  if (stringOf(row.version)) facts.version = stringOf(row.version);
  return facts;
}

function title(row: JsonObject, src: ByteRange): Entry[] {
  const text = stringOf(row.title).trim();
  if (text === '' || /^(?:New|Child) session - /.test(text)) return [];
  const time = isObject(row.time) ? row.time.created : row.time_created;
  return [
    { id: madeId(src, text), ts: timeOf(time), src, kind: 'title', origin: 'machine', text, custom: false },
  ];
}

/** Its words are in its parts; here only how it ended. */
function readMessage(row: JsonObject, src: ByteRange): ReadObject {
  const error = isObject(row.error) ? row.error : undefined;
  if (stringOf(error?.name) !== 'MessageAbortedError') return skip('message');
  const time = isObject(row.time) ? row.time.created : undefined;
  const place = { id: `${stringOf(row.id)}/end`, ts: timeOf(time), src };
  return { entries: [interruption(place)], facts: {} };
}

function readPart(line: JsonObject, part: JsonObject, src: ByteRange): ReadObject {
  const type = stringOf(part.type);
  const time = isObject(part.time) ? part.time : {};
  const id = stringOf(part.id) || madeId(src, type);
  const place: AgentPlace = { id, ts: timeOf(time.start) || timeOf(line.at), src };
  const model = stringOf(line.model);
  const of = { messageId: stringOf(line.message) || id, ...(model ? { model } : {}) };
  const isUser = line.role === 'user';
  const text = stringOf(part.text);
  // Without its role nobody knows who said it.
  if (!isUser && line.role !== 'assistant') return unknown(`message of ${stringOf(line.role) || 'nobody'}`);
  switch (type) {
    case 'text':
      if (text.trim() === '') return skip('no words');
      if (part.synthetic === true || part.ignored === true)
        return entry({ ...place, kind: 'notice', origin: 'machine', text });
      if (line.summary === true) return entry({ ...place, kind: 'compaction', origin: 'machine', text });
      if (isUser) return entry({ ...place, kind: 'user', origin: 'user', text });
      return entry({ ...place, ...of, kind: 'assistant', origin: 'assistant', text });
    case 'reasoning':
      return text === ''
        ? skip(type)
        : entry({ ...place, ...of, kind: 'thinking', origin: 'assistant', text });
    case 'tool':
      return withToolGaps({ entries: toolEntries(part, place, model), facts: {} }, part);
    case 'file':
      if (!isUser || !stringOf(part.mime).startsWith('image/')) return skip(type);
      return entry({ ...place, kind: 'user', origin: 'user', text: '', images: 1 });
    case 'compaction':
      return skip(type);
    default:
      return QUIET.has(type) ? skip(type) : { entries: [], facts: {}, unknown: type || 'no type' };
  }
}

function withToolGaps(read: ReadObject, part: JsonObject): ReadObject {
  const { state } = part;
  const isDone = isObject(state) && (state.status === 'completed' || state.status === 'error');
  const found = withGaps(withGaps(withGaps(read, CALL, part), STATE, state), DONE, isDone ? state : []);
  if (!isObject(state)) return found;
  const ran = part.tool === 'bash' ? withGaps(withGaps(found, RAN, state), EXIT, state.metadata) : found;
  return withOddWord(ran, 'call', state.status, STATUSES);
}

function toolEntries(part: JsonObject, place: AgentPlace, model: string): Entry[] {
  const state = isObject(part.state) ? part.state : {};
  const toolUseId = stringOf(part.callID) || place.id;
  const input = isObject(state.input) ? state.input : {};
  const call = { toolUseId, name: stringOf(part.tool), input, ...(model ? { model } : {}) };
  const metadata = isObject(state.metadata) ? state.metadata : {};
  const failed = state.status === 'error' || (typeof metadata.exit === 'number' && metadata.exit !== 0);
  const calls = callEntries(place, call);
  if (state.status === 'pending' || state.status === 'running') return calls;
  const text = stringOf(state.error) || stringOf(state.output);
  return [...calls, { ...place, kind: 'tool-result', origin: 'tool', toolUseId, text, isError: failed }];
}

function entry(one: Entry): ReadObject {
  return { entries: [one], facts: {} };
}

function skip(kind: string): ReadObject {
  return { entries: [], facts: {}, skipped: kind };
}
