import type { ByteRange, Entry } from '../../model/entry.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { type AgentPlace, callEntries, timeOf } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownMarks, withGaps } from '../known-fields.ts';
import { blockObject, blocksOf, contentId, inputOf } from '../message-blocks.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { unknown } from '../read-parts.ts';
import { isStaged, stagedRow } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';
import { insideTags } from '../tagged-words.ts';
import { spokenCall, xmlCalls } from './xml-calls.ts';

/** What was typed is inside one of these; everything else under the role of the user is the client's. */
const TYPED = ['user_input', 'task', 'feedback', 'user_message', 'answer'];

/** The folder is named by the prompt of the system, which is a text. */
const SESSION = knownMarks(
  'session',
  { folder: 'cwd', title: 'cwd' },
  'sessionId id version agent started origin system_prompt',
);

/**
 * Cline, its command and its extension, from the lines that are made of their documents. The extension's tasks are untried with a
 * real file: read by src/core/storage/disk.ts of cline/cline on GitHub.
 */
export const clineReader: AgentReader = readerOf('cline');
/** Roo Code, which was made from Cline's extension; untried with a real file: src/shared/globalFileNames.ts of RooCodeInc/Roo-Code. */
export const rooReader: AgentReader = readerOf('roo');

function readerOf(agent: string): AgentReader {
  return {
    is: (object) => isStaged(object, agent),
    read: (object, src) => {
      const { kind, row } = stagedRow(object, agent) ?? { kind: '', row: {} };
      if (kind === 'session') return readSession(row);
      return kind === 'message' ? readMessage(row, src) : unknown(kind);
    },
  };
}

function readSession(row: JsonObject): ReadObject {
  const { sessionId, id, cwd, origin } = row;
  const session = stringOf(sessionId) || stringOf(id);
  const version = isObject(origin) ? stringOf(origin.version) : '';
  const facts = {
    ...(session ? { sessionId: session } : {}),
    ...(stringOf(cwd) ? { cwd: stringOf(cwd) } : {}),
    ...(version ? { version } : {}),
  };
  return withGaps({ entries: [], facts }, SESSION, row);
}

function readMessage(message: JsonObject, src: ByteRange): ReadObject {
  const ts = timeOf(message.ts);
  const place: AgentPlace = { id: contentId(message.id, { src, ts }, message.content), ts, src };
  const model = isObject(message.modelInfo) ? stringOf(message.modelInfo.id) : '';
  if (message.role === 'user') {
    const content = blocksOf(message.content).map(withOutcome);
    const read = blockObject(place, { role: 'user', content, ownWords: (text) => insideTags(text, TYPED) });
    const cwd = cwdIn(content);
    return cwd ? { ...read, facts: { cwd } } : read;
  }
  if (message.role !== 'assistant') return unknown(`message of ${stringOf(message.role) || 'nobody'}`);
  const content = blocksOf(message.content).flatMap(spokenCall);
  const read = blockObject(place, {
    role: 'assistant',
    content,
    ownWords: () => undefined,
    ...(model ? { model } : {}),
  });
  const entries = read.entries.flatMap((entry) =>
    entry.kind === 'assistant' ? writtenOut(entry, place) : entry,
  );
  return { ...read, entries };
}

/** Older versions have calls in their text. */
function writtenOut(entry: Entry & { kind: string; text: string }, place: AgentPlace): Entry[] {
  const { text, calls } = xmlCalls(entry.text);
  if (calls.length === 0) return [entry as Entry];
  const made = calls.flatMap(({ name, input }, index) => {
    const call = { toolUseId: `${place.id}/${index}`, name, input: inputOf({ input }) };
    return callEntries(place, call).map((it) => ({ ...it, settled: true }) as Entry);
  });
  return text === '' ? made : [{ ...entry, text } as Entry, ...made];
}

/** The tools for commands answer with a list of their actions. */
function withOutcome(block: JsonObject): JsonObject {
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block;
  const done = block.content.filter(isObject).filter(({ success }) => typeof success === 'boolean');
  if (done.length === 0 || done.some(({ result, error }) => typeof (result ?? error) !== 'string'))
    return block;
  const content = done.map((it) => stringOf(it.result) || stringOf(it.error)).join('\n');
  return { ...block, content, is_error: done.some(({ success }) => success === false) };
}

/** `# Current Working Directory (/srv/shop) Files` */
function cwdIn(content: JsonObject[]): string | undefined {
  for (const { text } of content) {
    const found = /^# Current (?:Working|Workspace) Directory \((.+?)\)/m.exec(stringOf(text));
    if (found?.[1]) return found[1];
  }
  return undefined;
}
