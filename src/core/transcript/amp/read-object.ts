import type { ByteRange } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, knownMarks, withGaps, withOddWord } from '../known-fields.ts';
import { blockObject, blocksOf, contentId, hasLostText, textIn } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { titled, unknown } from '../read-parts.ts';
import { isStaged, stagedRow } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';
import { withoutTags } from '../tagged-words.ts';
import { machineShape } from '../text-shape.ts';

const AGENT = 'amp';
const ADDED = ['attachedFiles', 'user-state', 'system-reminder', 'manuallyInvokedSkill', 'user_instructions'];

/** Where the folder of a thread is, from the outside to the inside. */
const PLACES = [
  knownMarks('thread', { folder: 'env:o' }, 'id created agentMode'),
  knownMarks('thread', { folder: 'initial:o' }),
  knownMarks('thread', { folder: 'trees:l' }),
  knownMarks('thread', { folder: 'uri' }, 'repository displayName'),
];
const TITLE = knownFields('title', 'title:s');
const RUN = knownMarks('result', { outcome: 'status:s' }, 'result error reason progress');
const PRINTED = knownMarks('result', { exit: 'exitCode' }, 'output');
const STATUSES = new Set(
  'done error cancelled in-progress queued blocked-on-user rejected-by-user'.split(' '),
);

/**
 * Threads of Amp, `threads/T-<id>.json`, from the lines that are made of them. Untried with a real file: read by the notes of
 * noamsto/houston (docs/AMP_AGENT_SUPPORT.md) and jonathan-kellerai/cross_agent_session_resumer (src/providers/amp.rs) on GitHub.
 */
export const ampReader: AgentReader = {
  is: (object) => isStaged(object, AGENT),
  read: (object, src) => {
    const { kind, row } = stagedRow(object, AGENT) ?? { kind: '', row: {} };
    if (kind === 'session') return readThread(row);
    if (kind === 'title') {
      const place: AgentPlace = { id: contentId(undefined, { src, ts: '' }, row.title), ts: '', src };
      return withGaps({ entries: titled(place, stringOf(row.title)), facts: {} }, TITLE, row);
    }
    return kind === 'message' ? readMessage(row, src) : unknown(kind);
  },
};

function readThread(thread: JsonObject): ReadObject {
  const { id, env } = thread;
  const initial = isObject(env) && isObject(env.initial) ? env.initial : {};
  const [tree] = Array.isArray(initial.trees) ? initial.trees.filter(isObject) : [];
  const path = stringOf(tree?.uri).replace(/^file:\/\//, '');
  const cwd = /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  const repository = isObject(tree?.repository) ? stringOf(tree.repository.url) : '';
  const facts = { sessionId: stringOf(id), ...(cwd ? { cwd } : {}), ...(repository ? { repository } : {}) };
  return [thread, env, initial, tree].reduce<ReadObject>(
    (read, object, index) => withGaps(read, PLACES[index]!, object),
    { entries: [], facts },
  );
}

function readMessage(message: JsonObject, src: ByteRange): ReadObject {
  const { role, content, meta, usage } = message;
  const ts =
    timeOf(isObject(meta) ? meta.sentAt : undefined) || timeOf(isObject(usage) ? usage.timestamp : undefined);
  const number = typeof message.messageId === 'number' ? `m${message.messageId}` : message.messageId;
  const place: AgentPlace = { id: contentId(number, { src, ts }, content), ts, src };
  if (role !== 'user' && role !== 'assistant') return unknown(`message of ${stringOf(role) || 'nobody'}`);
  const model = isObject(usage) ? stringOf(usage.model) : '';
  const blocks = blocksOf(content);
  const read = blockObject(place, {
    role,
    content: blocks.map(withOutcome),
    ownWords,
    ...(model ? { model } : {}),
  });
  return blocks.reduce(withRunGaps, read);
}

function withRunGaps(read: ReadObject, { type, run }: JsonObject): ReadObject {
  if (type !== 'tool_result' || !isObject(run)) return read;
  const { result } = run;
  const printed = [result].flat().filter((it) => isObject(it) && typeof it.output === 'string');
  return withOddWord(withGaps(withGaps(read, RUN, run), PRINTED, printed), 'call', run.status, STATUSES);
}

/** How a call ended, why it was stopped, and how far it is. */
const NO_RESULT = new Set(['status', 'error', 'reason', 'progress']);

/** The result of a call is in `run`. */
function withOutcome(block: JsonObject): JsonObject {
  if (block.type !== 'tool_result' || !isObject(block.run)) return block;
  const { status, result, error } = block.run;
  const exits = [result].flat().map((it) => (isObject(it) ? it.exitCode : undefined));
  const hasExit = exits.some((exit) => typeof exit === 'number' && exit !== 0);
  const is_error = status === 'error' || status === 'cancelled' || hasExit;
  const text = textIn(result) || textIn(error) || (isObject(error) ? stringOf(error.message) : '');
  if (text !== '') return { ...block, content: text, is_error };
  const others = Object.entries(block.run).filter(([field]) => !NO_RESULT.has(field));
  const content = result ?? Object.fromEntries(others);
  return { ...block, content: hasLostText(content) ? content : stringOf(status), is_error };
}

function ownWords(text: string): string | undefined {
  const own = withoutTags(text, ADDED);
  return machineShape(own) ? undefined : own;
}
