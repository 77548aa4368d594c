import type { AnswerBeside, ByteRange, Entry, LineFacts, ToolResultEntry } from '../../model/entry.ts';
import { shortHash } from '../../model/ids.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { changedLines, isObject, type JsonObject } from '../parse-line.ts';
import { stringOf } from '../string-of.ts';
import { type EntryPlace, readEnvelope } from './envelope.ts';
import { isKnownType } from './line-test.ts';
import { machineMark } from './machine-mark.ts';
import { oddMessage, oddTitle } from './odd-block.ts';
import { refusalIn } from './refusal.ts';
import { queuedEvidence, typingEvidence } from './typing-evidence.ts';
import { isOnlyPictures, readUserText, type UserText } from './user-text.ts';

export function readClaudeCodeObject(object: JsonObject, src: ByteRange): ReadObject {
  const type = stringOf(object.type);
  const { facts, place } = readEnvelope(object, src);
  switch (type) {
    case 'user':
      return { entries: userEntries(object, place), facts, ...oddMessage(object) };
    case 'assistant':
      return { entries: assistantEntries(object, place), facts, ...oddMessage(object) };
    case 'queue-operation':
      return { entries: queueEntries(object, place), facts };
    case 'attachment':
      return readAttachment(object, place, facts);
    case 'progress':
      return readProgress(object, place, facts);
    case 'system':
      if (stringOf(object.subtype) === 'local_command')
        return { entries: localCommand(object, place), facts };
      return stringOf(object.subtype) === 'compact_boundary'
        ? { entries: [{ ...place, kind: 'notice', origin: 'machine', text: 'compact_boundary' }], facts }
        : { entries: [], facts, skipped: 'system' };
    case 'summary':
      return { entries: title(place, object.summary, stringOf(object.leafUuid)), facts, ...oddTitle(object) };
    case 'ai-title':
      return { entries: title(place, object.aiTitle), facts, ...oddTitle(object) };
    case 'custom-title':
      return { entries: title(place, object.customTitle, undefined, true), facts, ...oddTitle(object) };
    default:
      return type !== '' && isKnownType(type)
        ? { entries: [], facts, skipped: type }
        : { entries: [], facts, unknown: type || 'no type' };
  }
}

function userEntries(object: JsonObject, place: EntryPlace): Entry[] {
  const content = isObject(object.message) ? object.message.content : undefined;
  // A plain text that has the result of a tool beside it is that tool's.
  const source = object.toolUseResult === undefined ? object : { ...object, isMeta: true };
  if (typeof content === 'string') return humanOrMachine(source, place, [content], 0);
  if (!Array.isArray(content)) return [];
  const entries: Entry[] = [];
  const texts: string[] = [];
  let images = 0;
  for (const block of content) {
    if (!isObject(block)) continue;
    if (block.type === 'text') texts.push(stringOf(block.text));
    else if (block.type === 'image') images++;
    else if (block.type === 'document') texts.push('[document]');
    else if (block.type === 'tool_result') entries.push(toolResult(block, place, object.toolUseResult));
  }
  return [...entries, ...humanOrMachine(object, place, texts, images)];
}

function humanOrMachine(object: JsonObject, place: EntryPlace, texts: string[], images: number): Entry[] {
  const marked = machineMark(object);
  const entries: Entry[] = [];
  const said: (UserText & { speaker: 'user' })[] = [];
  for (const raw of texts) {
    const read = readUserText(raw);
    if (object.isCompactSummary === true || read.speaker === 'compaction') {
      entries.push({ ...place, kind: 'compaction', origin: 'machine', text: raw });
    } else if (marked) {
      entries.push(notice(place, { speaker: 'machine', text: raw, ...marked }));
    } else if (read.speaker === 'machine' || read.speaker === 'client') {
      entries.push(notice(place, read));
    } else if (!isOnlyPictures(read.text) && (read.text.trim() !== '' || read.command)) said.push(read);
  }
  if (said.length > 0 || (images > 0 && entries.length === 0 && !marked)) {
    const [first] = said;
    const isWrapped = texts.some((raw) => WRAPPED.test(raw));
    // A queue line has no marks, and text next to a tool's result is a comment on it.
    const isPrompt = object.type === 'user' && !isWrapped && !isBesideResult(object);
    const ofQueue = object.type === 'attachment' ? queuedEvidence(object) : undefined;
    const typed = `${first?.command ? `${first.command} ` : ''}${first?.text ?? ''}`;
    const evidence = isPrompt ? typingEvidence(object, typed) : ofQueue;
    entries.push({
      ...place,
      kind: 'user',
      origin: 'user',
      text: said.map((read) => read.text).join('\n\n'),
      ...(first?.command ? { command: first.command } : {}),
      ...(first?.aside ? { aside: true } : {}),
      ...(images > 0 ? { images } : {}),
      ...(evidence ? { evidence } : {}),
    });
  }
  return entries;
}

/** Commands and notes in the client's own wrapping have no marks. */
const WRAPPED = /^\s*<(?:command-|user-memory-input>)/;

function isBesideResult({ message }: JsonObject): boolean {
  const content = isObject(message) ? message.content : undefined;
  return Array.isArray(content) && content.some((block) => isObject(block) && block.type === 'tool_result');
}

function notice(place: EntryPlace, read: Exclude<UserText, { speaker: 'user' }>): Entry {
  const { text } = read;
  return {
    ...place,
    kind: 'notice',
    origin: 'machine',
    text,
    ...(read.speaker === 'client' ? { client: true } : {}),
    ...(read.speaker === 'machine' && read.shape ? { shape: read.shape } : {}),
    ...(read.speaker === 'machine' && read.interrupts ? { interrupts: true } : {}),
  };
}

/** Where the whole line was parsed, the patch itself is there. */
function changedIn(result: JsonObject): string {
  if (!Array.isArray(result.structuredPatch)) return stringOf(result.changed);
  return changedLines(Buffer.from(JSON.stringify({ structuredPatch: result.structuredPatch })), 0);
}

function toolResult(block: JsonObject, place: EntryPlace, beside: unknown): Entry {
  const result = isObject(beside) ? beside : {};
  const startedAgentId = stringOf(result.agentId);
  const changed = changedIn(result);
  const content = block.content;
  let images = 0;
  let body = '';
  if (typeof content === 'string') body = content;
  else if (Array.isArray(content)) {
    const texts: string[] = [];
    for (const part of content) {
      if (!isObject(part)) continue;
      if (part.type === 'text') texts.push(stringOf(part.text));
      else if (part.type === 'image') images++;
    }
    body = texts.join('\n');
  }
  const isError = block.is_error === true;
  return {
    ...place,
    kind: 'tool-result',
    origin: 'tool',
    toolUseId: stringOf(block.tool_use_id),
    text: body,
    isError,
    ...(isError ? refusalIn(body) : {}),
    ...(images > 0 ? { images } : {}),
    ...(startedAgentId ? { startedAgentId } : {}),
    ...(changed ? { changed } : {}),
    ...answersBeside(result),
  };
}

/** What was answered to each question, as the client notes it beside the result, and what the user noted to it. */
function answersBeside({ answers, annotations }: JsonObject): Pick<ToolResultEntry, 'answers'> {
  if (!isObject(answers)) return {};
  const noted = isObject(annotations) ? annotations : {};
  const chosen = Object.entries(answers).flatMap(([question, answer]): AnswerBeside[] => {
    const text = Array.isArray(answer) ? answer.map(stringOf).filter(Boolean).join(', ') : stringOf(answer);
    const own = noted[question];
    const note = isObject(own) ? stringOf(own.notes).trim() : '';
    return text.trim() === '' && note === ''
      ? []
      : [[question, text, ...(note === '' ? [] : [note])] as AnswerBeside];
  });
  return chosen.length > 0 ? { answers: chosen } : {};
}

export function assistantEntries(object: JsonObject, place: EntryPlace): Entry[] {
  const message = isObject(object.message) ? object.message : {};
  const model = stringOf(message.model);
  const of = { ...(message.id ? { messageId: stringOf(message.id) } : {}), ...(model ? { model } : {}) };
  const content =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  if (!Array.isArray(content)) return [];
  const machine = object.isApiErrorMessage === true || model === '<synthetic>';
  const entries: Entry[] = [];
  for (const block of content) {
    if (!isObject(block)) continue;
    if (block.type === 'text' && stringOf(block.text).trim() !== '') {
      entries.push(
        machine
          ? { ...place, kind: 'notice', origin: 'machine', text: stringOf(block.text) }
          : { ...place, ...of, kind: 'assistant', origin: 'assistant', text: stringOf(block.text) },
      );
    } else if (block.type === 'thinking' && stringOf(block.thinking) !== '') {
      entries.push({
        ...place,
        ...of,
        kind: 'thinking',
        origin: 'assistant',
        text: stringOf(block.thinking),
      });
    } else if (block.type === 'tool_use' || block.type === 'server_tool_use') {
      entries.push({
        ...place,
        ...of,
        kind: 'tool-call',
        origin: 'assistant',
        toolUseId: stringOf(block.id),
        name: stringOf(block.name),
        input: isObject(block.input) ? block.input : {},
      });
    }
  }
  return entries;
}

/** `/compact keep the API`: the words after a command of the client's own. */
function localCommand(object: JsonObject, place: EntryPlace): Entry[] {
  const content = stringOf(object.content);
  return content.trimStart().startsWith('<command-') ? humanOrMachine(object, place, [content], 0) : [];
}

/** Typed while the agent worked: more than half of such messages are nowhere else. */
function queueEntries(object: JsonObject, place: EntryPlace): Entry[] {
  if (object.operation !== 'enqueue') return [];
  return queued(object, object.content, { ...place, id: '' });
}

function readAttachment(object: JsonObject, place: EntryPlace, facts: LineFacts): ReadObject {
  const attachment = isObject(object.attachment) ? object.attachment : {};
  if (attachment.type !== 'queued_command') return { entries: [], facts, skipped: 'attachment' };
  const { isMeta, origin, commandMode } = attachment;
  // Only what is in the mode of a prompt was typed as one.
  const source = commandMode === 'task-notification' ? { isMeta: true } : {};
  const marks = { ...object, ...(isMeta ? { isMeta } : {}), ...(origin ? { origin } : {}), ...source };
  return { entries: queued(marks, attachment.prompt, place), facts };
}

function queued(marks: JsonObject, content: unknown, place: EntryPlace): Entry[] {
  const said = blockText(content);
  if (said.trim() === '') return [];
  const id = place.id || `q_${shortHash(`${place.ts}\n${said}`, 16)}`;
  return humanOrMachine(marks, { ...place, id }, [said], 0).map((entry) =>
    entry.kind === 'user' ? { ...entry, queued: true } : entry,
  );
}

/** Older clients write a subagent's work into `progress` lines of its parent. */
function readProgress(object: JsonObject, place: EntryPlace, facts: LineFacts): ReadObject {
  const data = isObject(object.data) ? object.data : {};
  const kind = stringOf(data.type);
  const message = data.message;
  if (kind !== 'agent_progress' || !isObject(message))
    return { entries: [], facts, skipped: kind || 'progress' };
  const agentId = stringOf(data.agentId) || stringOf(object.parentToolUseID) || 'sidechain';
  const inner: EntryPlace = {
    ...place,
    id: stringOf(message.uuid) || place.id,
    ts: stringOf(message.timestamp) || place.ts,
    agentId,
  };
  const entries =
    message.type === 'assistant' ? assistantEntries(message, inner) : userEntries(message, inner);
  const toolUseId = stringOf(object.parentToolUseID);
  return { entries, facts: { ...facts, sub: { agentId, toolUseId } } };
}

function title(place: EntryPlace, value: unknown, leaf?: string, custom = false): Entry[] {
  const name = stringOf(value).trim();
  if (name === '') return [];
  return [{ ...place, kind: 'title', origin: 'machine', text: name, custom, ...(leaf ? { leaf } : {}) }];
}

function blockText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .map((block) => (isObject(block) && block.type === 'text' ? stringOf(block.text) : ''))
    .join('\n')
    .trim();
}
