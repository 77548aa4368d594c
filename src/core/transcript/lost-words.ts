import type { ReadObject } from '../model/read-object.ts';
import { isObject } from './parse-line.ts';

/** How readers call a message in which they found nothing that was said. */
const WORDLESS = new Set(['no words', 'no result', 'user_message', 'agent_message']);
const SENTENCE = /\p{L}\s+\p{L}/u;
const DEEPEST = 12;
/** By what a call is known, whichever agent's it is: what is called, and with what. */
const CALLED = ['name', 'tool', 'toolName', 'tool_name', 'function'];
const WITH = ['args', 'arguments', 'input', 'params', 'rawArgs'];

/** A message that contains words where its reader knows of none, as a newer version may write it, is counted as not understood. */
export function withLostWords(read: ReadObject, object: unknown): ReadObject {
  const isWordless = read.entries.length === 0 && read.skipped !== undefined && WORDLESS.has(read.skipped);
  return isWordless && read.unknown === undefined && holdsWords(object)
    ? { ...read, unknown: 'words in an unknown place' }
    : read;
}

/** The same of calls, for a format whose fields are too many to know them all. */
export function withLostCalls(read: ReadObject, object: unknown): ReadObject {
  const hasCall = read.entries.some(({ kind }) => kind === 'tool-call');
  return read.unknown === undefined && !hasCall && holdsCall(object)
    ? { ...read, unknown: 'call in an unknown place' }
    : read;
}

export function holdsWords(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return SENTENCE.test(value);
  if (depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.some((it) => holdsWords(it, depth + 1));
  return isObject(value) && Object.values(value).some((it) => holdsWords(it, depth + 1));
}

function holdsCall(value: unknown, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.some((it) => holdsCall(it, depth + 1));
  if (!isObject(value)) return false;
  const isCall =
    CALLED.some((name) => typeof value[name] === 'string') && WITH.some((name) => value[name] !== undefined);
  return isCall || Object.values(value).some((it) => holdsCall(it, depth + 1));
}
