import { isObject, type JsonObject } from '../parse-line.ts';
import { stringOf } from '../string-of.ts';

/** Blocks that are read, and those that hold nothing to remember. */
const BLOCK =
  /^(?:text|thinking|redacted_thinking|tool_use|tool_result|image|document|fallback|search_result|container_upload|compaction|\w+_tool_use|\w+_tool_result)$/;

/** A block of a kind that is not known, or without what its kind has, as a newer version may write it, is counted. */
export function oddBlock(message: unknown): { unknown?: string } {
  const content = isObject(message) ? message.content : undefined;
  if (!Array.isArray(content)) return {};
  const odd = content.find((block) => isObject(block) && !isKnown(block));
  return odd ? { unknown: `block ${stringOf(odd.type) || 'without type'}` } : {};
}

function isKnown({ type, text, name, input }: JsonObject): boolean {
  if (type === 'tool_use') return typeof name === 'string' && input !== undefined;
  return type === 'text' ? typeof text === 'string' : BLOCK.test(stringOf(type));
}
