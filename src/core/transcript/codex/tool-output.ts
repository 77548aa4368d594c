import { parseOutside } from '../../model/parse-stored.ts';
import type { ReadObject } from '../../model/read-object.ts';
import { knownMarks, withGaps } from '../known-fields.ts';
import { isObject, type JsonObject } from '../parse-line.ts';
import { stringOf } from '../string-of.ts';

/** What a call gave: its text without what Codex writes around it, and how it ended. */
export type CodexOutput = { text: string; isError: boolean; exit?: number; refused?: true };

/** `Chunk ID`, `Wall time`, `Process exited with code 1`, ... up to `Output:`; older versions begin with `Exit code`. */
const HEADER =
  /^(?:(?:Chunk ID|Exit code|Wall time|Process exited with code|Process running with session ID|Original token count|Total output lines|Script (?:completed|failed|running with cell ID))\b[^\n]*\n)+(?:Output:\n?)?/;
const EXIT = /^(?:Exit code|Process exited with code|exit_code)[:\s]+(-?\d+)/im;
const FAILED =
  /^(?:Script failed|apply_patch verification failed|aborted by user|[a-z_]+ failed(?: for|:)|failed to )/i;
const REFUSED = /^(?:[\w ]{1,40} )?rejected by (?:the )?user(?! approval)/i;

const OUTPUT = knownMarks(
  'result',
  { outcome: 'success isError', words: 'output:sol content:s text:s stdout:s stderr:s' },
  'metadata',
);
const METADATA = knownMarks('result', { exit: 'exit_code:ns exitCode:ns' });

/** Where an output is wrapped, what is around it says how the call ended. */
export function withOutputGaps(read: ReadObject, output: unknown): ReadObject {
  if (Array.isArray(output)) return output.reduce(withOutputGaps, read);
  const object = typeof output === 'string' ? wrapped(output) : output;
  if (!isObject(object)) return read;
  return withGaps(withGaps(read, OUTPUT, object), METADATA, object.metadata ?? []);
}

export function readOutput(output: unknown): CodexOutput {
  const text = outputText(output);
  const body = text.replace(HEADER, '');
  const exit = exitOf(output);
  const refused = REFUSED.test(body);
  const isError = refused || (exit ?? 0) !== 0 || FAILED.test(text) || FAILED.test(body) || saysError(output);
  return {
    text: body,
    isError,
    ...(isError && exit !== undefined && exit !== 0 ? { exit } : {}),
    ...(refused ? { refused: true } : {}),
  };
}

/** However it was wrapped: a text, a JSON text with `output`, parts, or an object. */
function outputText(output: unknown): string {
  if (typeof output === 'string') {
    const inner = wrapped(output);
    return inner ? outputText(inner) : output;
  }
  if (Array.isArray(output)) return output.map((part) => outputText(partOf(part))).join('\n');
  if (!isObject(output)) return '';
  const text = stringOf(output.output) || stringOf(output.content) || stringOf(output.text);
  return text || [stringOf(output.stdout), stringOf(output.stderr)].filter(Boolean).join('\n');
}

/** A part of a list: its text, if it has one. */
function partOf(part: unknown): unknown {
  return isObject(part) && typeof part.text === 'string' ? part.text : part;
}

/** The exit status of the command; of several, the first that failed. */
function exitOf(output: unknown): number | undefined {
  if (typeof output === 'string') {
    const inner = wrapped(output);
    if (inner) return exitOf(inner);
    const header = HEADER.exec(output)?.[0] ?? output.slice(0, 400).split('\n', 1)[0] ?? '';
    return asNumber(EXIT.exec(header)?.[1]);
  }
  if (Array.isArray(output)) {
    const all = output.map((part) => exitOf(partOf(part)));
    return all.find((code) => code !== undefined && code !== 0) ?? all.find((code) => code !== undefined);
  }
  if (!isObject(output)) return undefined;
  const { exit_code, exitCode } = isObject(output.metadata) ? output.metadata : output;
  return asNumber(exit_code ?? exitCode);
}

function saysError(output: unknown): boolean {
  if (Array.isArray(output)) return output.some(saysError);
  const object = typeof output === 'string' ? wrapped(output) : output;
  return isObject(object) && (object.success === false || object.isError === true);
}

function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined;
}

function wrapped(text: string): JsonObject | undefined {
  if (!/^\s*\{\s*"(?:output|metadata|content|success|chunk_id|exit_code)"/.test(text.slice(0, 80)))
    return undefined;
  const value = parseOutside(text);
  return isObject(value) ? value : undefined;
}
