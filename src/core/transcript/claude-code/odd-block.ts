import { gapIn, knownFields, knownMarks } from '../known-fields.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { stringOf } from '../string-of.ts';

/** Blocks that are read, and those that hold nothing to remember. */
const BLOCK =
  /^(?:text|thinking|redacted_thinking|tool_use|tool_result|image|document|fallback|search_result|container_upload|compaction|\w+_tool_use|\w+_tool_result)$/;
const RESULT = knownMarks('result', { outcome: 'is_error', words: 'content:sl' });
/** Messages of the first versions name their folder as the project. */
const LINE = knownMarks(
  'line',
  { words: 'message:o', folder: 'cwd' },
  'toolUseResult project planContent attachment data origin todos thinkingMetadata mcpMeta errorDetails supersedesUuids',
);
const MESSAGE = knownMarks(
  'message',
  { words: 'content:sl' },
  'usage context_management container diagnostics',
);
const NAMED = knownFields('line', 'uuid:s');
const TITLES = new Map(
  Object.entries({
    summary: 'summary:s leafUuid:s',
    'ai-title': 'aiTitle:s',
    'custom-title': 'customTitle:s',
  }).map(([type, fields]) => [type, knownFields(type, fields)]),
);

/** A block or a field that is not known, or one that is not there, as a newer version may write it, is counted. */
export function oddMessage(object: JsonObject): { unknown?: string } {
  const { message, sessionId } = object;
  const content = isObject(message) ? message.content : undefined;
  const unknown =
    oddBlockIn(content) ??
    gapIn(object, LINE) ??
    (isObject(message) ? gapIn(message, MESSAGE) : undefined) ??
    (sessionId === undefined ? undefined : gapIn(object, NAMED));
  return unknown === undefined ? {} : { unknown };
}

export function oddBlockIn(content: unknown): string | undefined {
  return Array.isArray(content) ? content.map(oddBlock).find(Boolean) : undefined;
}

/** The same of a line that has only a title. */
export function oddTitle(object: JsonObject): { unknown?: string } {
  const known = TITLES.get(stringOf(object.type));
  const unknown = known && gapIn(object, known);
  return unknown === undefined ? {} : { unknown };
}

function oddBlock(block: unknown): string | undefined {
  if (!isObject(block)) return 'block that is no object';
  if (!isKnown(block)) return `block ${stringOf(block.type) || 'without type'}`;
  if (block.type !== 'tool_result') return undefined;
  const isOdd = Array.isArray(block.content) && !block.content.every(isObject);
  return isOdd ? 'part of a result that is no object' : gapIn(block, RESULT);
}

function isKnown({ type, text, name, input }: JsonObject): boolean {
  if (type === 'tool_use') return typeof name === 'string' && isObject(input);
  return type === 'text' ? typeof text === 'string' : BLOCK.test(stringOf(type));
}
