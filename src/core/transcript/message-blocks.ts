import type { Entry, LineFacts } from '../model/entry.ts';
import { parseOutside } from '../model/parse-stored.ts';
import type { ReadObject } from '../model/read-object.ts';
import { type AgentPlace, callEntries, madeId } from './agent-place.ts';
import { gapIn, knownFields, knownMarks } from './known-fields.ts';
import { isObject, type JsonObject } from './parse-line.ts';
import { skipped, spoken } from './read-parts.ts';
import { stringOf } from './string-of.ts';

/** A message as services of models have it: a role, and a text or blocks. */
export type BlockMessage = {
  role: 'user' | 'assistant';
  content: unknown;
  model?: string;
  /** The person's own words, for a text that replaces them. */
  ownWords: (text: string) => string | undefined;
  /** Calls have no ids in this file, so results cannot be matched to them. */
  isWithoutIds?: true;
};

const TEXT = new Set(['text', 'input_text', 'output_text', 'summary_text']);
const CALL = new Set(['tool_use', 'toolCall', 'tool_call', 'tool-call', 'server_tool_use']);
const RESULT = new Set(['tool_result', 'toolResult', 'tool-result']);
const IMAGE = new Set(['image', 'image_url', 'input_image']);

/** Known, and nothing that is remembered. */
const QUIET = new Set([
  'thinking',
  'reasoning',
  'redacted_thinking',
  'document',
  'file',
  'fileSessionTagged',
  'cache',
]);

const KNOWN = [TEXT, CALL, RESULT, IMAGE, QUIET];
const TEXT_FIELDS = knownFields('text', 'text:s');
const CALL_FIELDS = knownFields('call', 'name:s|toolName:s input:os|arguments:os|args:os|parameters:os');
const RESULT_FIELDS = knownFields('result', 'content|output|result');
const RESULT_NAMES = new Set(['id', 'tool_use_id', 'toolUseID', 'toolCallId', 'name', 'toolName']);
/** Whether a call failed is said here, if at all. */
export const RESULT_MARKS = knownMarks('result', { outcome: 'is_error isError' }, 'finish_reason');

/** A call failed, by either name. */
export function hasFailed({ is_error, isError }: JsonObject): boolean {
  return is_error === true || isError === true;
}

/** A message of blocks; a block of a kind that is not known is counted. */
export function blockObject(place: AgentPlace, message: BlockMessage, facts: LineFacts = {}): ReadObject {
  const entries = blockEntries(place, message);
  const unknown = blocksOf(message.content).map(oddBlock).find(Boolean);
  if (unknown !== undefined) return { entries, facts, unknown };
  if (entries.length > 0) return { entries, facts };
  const isResult =
    message.isWithoutIds && blocksOf(message.content).some((it) => RESULT.has(stringOf(it.type)));
  return { ...skipped(isResult ? 'result without id' : 'no words'), facts };
}

/** What of a block is not understood: its kind, or where it keeps what it holds. */
function oddBlock(block: JsonObject): string | undefined {
  const type = stringOf(block.type);
  if (!KNOWN.some((kinds) => kinds.has(type))) return `block ${type || 'without type'}`;
  if (TEXT.has(type)) return gapIn(block, TEXT_FIELDS);
  if (CALL.has(type)) return gapIn(block, CALL_FIELDS);
  if (!RESULT.has(type)) return undefined;
  const isLost = hasLostText(block.content ?? block.output ?? block.result);
  if (isLost) return 'text of a result in an unknown place';
  // A tool may have printed nothing: then there is no field for it.
  const gap = holdsText(withoutNames(block)) ? gapIn(block, RESULT_FIELDS) : undefined;
  return gap ?? gapIn(block, RESULT_MARKS);
}

/** What a result contains besides the names of its call. */
function withoutNames(block: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(block).filter(([key]) => !RESULT_NAMES.has(key)));
}

/** Whether a content holds something, and no text where texts are. */
export function hasLostText(content: unknown): boolean {
  const parts = Array.isArray(content) ? content : [content];
  return textIn(content) === '' && parts.some((it) => isObject(it) && !isQuiet(it) && holdsText(it));
}

function isQuiet({ type }: JsonObject): boolean {
  return IMAGE.has(stringOf(type)) || QUIET.has(stringOf(type));
}

/** Its kind is no text. */
function holdsText(object: JsonObject): boolean {
  return Object.entries(object).some(([key, it]) => key !== 'type' && isText(it));
}

function isText(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isText);
  return isObject(value) ? holdsText(value) : stringOf(value).trim() !== '';
}

/** The entries of a message: texts of one speaker are one, results come before what was said to them. */
export function blockEntries(place: AgentPlace, message: BlockMessage): Entry[] {
  const { role, model } = message;
  const blocks = blocksOf(message.content);
  const of = { messageId: place.id, ...(model ? { model } : {}) };
  if (role === 'user') {
    const results = blocks.filter((it) => RESULT.has(stringOf(it.type)));
    const resultEntries = message.isWithoutIds ? [] : results.map((block) => resultEntry(place, block));
    const texts = blocks.filter((it) => TEXT.has(stringOf(it.type))).map((it) => stringOf(it.text));
    return [...resultEntries, ...userEntries(place, texts, message.ownWords, countImages(blocks))];
  }
  return blocks.flatMap((block, index): Entry[] => {
    const type = stringOf(block.type);
    const text = stringOf(block.text) || stringOf(block.thinking);
    if (CALL.has(type)) {
      const toolUseId = stringOf(block.id) || stringOf(block.toolCallId) || `${place.id}/${index}`;
      const name = stringOf(block.name) || stringOf(block.toolName);
      const call = { toolUseId, name, input: inputOf(block), ...(model ? { model } : {}) };
      const calls = callEntries(place, call);
      return message.isWithoutIds ? calls.map((it) => ({ ...it, settled: true }) as Entry) : calls;
    }
    if (text.trim() === '') return [];
    if (TEXT.has(type)) return [{ ...place, ...of, kind: 'assistant', origin: 'assistant', text }];
    return QUIET.has(type) ? [{ ...place, ...of, kind: 'thinking', origin: 'assistant', text }] : [];
  });
}

/** Text under the role of the user: their words in one entry, what the client added in others. */
function userEntries(
  place: AgentPlace,
  texts: string[],
  ownWords: BlockMessage['ownWords'],
  images: number,
): Entry[] {
  const own = texts.map((text) => ownWords(text) ?? '');
  const added = texts.filter((_, index) => own[index]?.trim() === '').join('\n\n');
  const words = own.filter((text) => text.trim() !== '').join('\n\n');
  return words === '' && images === 0
    ? spoken(place, added, undefined)
    : [...spoken(place, words, words, images), ...spoken(place, added, undefined)];
}

export function resultEntry(place: AgentPlace, block: JsonObject): Entry {
  const text = textIn(block.content ?? block.output ?? block.result);
  const toolUseId = stringOf(block.tool_use_id) || stringOf(block.toolUseID) || stringOf(block.toolCallId);
  const isError = hasFailed(block);
  const images = countImages(blocksOf(block.content));
  return {
    ...place,
    kind: 'tool-result',
    origin: 'tool',
    toolUseId,
    text,
    isError,
    ...(images ? { images } : {}),
  };
}

/** The arguments of a call: an object, or one as text. */
export function inputOf({ input, arguments: args, args: short, parameters }: JsonObject): JsonObject {
  const raw = input ?? args ?? short ?? parameters;
  if (isObject(raw)) return raw;
  const parsed = typeof raw === 'string' ? parseOutside(raw) : undefined;
  return isObject(parsed) ? parsed : typeof raw === 'string' ? { input: raw } : {};
}

/** The text of a content, whatever form it has. */
export function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (isObject(content)) return stringOf(content.text) || stringOf(content.value) || stringOf(content.output);
  return Array.isArray(content) ? content.map(textIn).filter(Boolean).join('\n') : '';
}

export function countImages(blocks: JsonObject[]): number {
  return blocks.filter((block) => IMAGE.has(stringOf(block.type))).length;
}

export function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The id of a message that has none of its own: the same message again has the same, wherever it is. */
export function contentId(
  own: unknown,
  place: { src: readonly [number, number]; ts: string },
  content: unknown,
): string {
  return stringOf(own) || madeId(place.src, `${place.ts}\n${textIn(content)}`);
}
