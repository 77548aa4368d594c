import { parseOutside } from '../../model/parse-stored.ts';
import { stringOf } from '../agent-place.ts';
import { isObject, type JsonObject } from '../parse-line.ts';

const EXIT = /^(?:Exit code|Process exited with code|exit_code)[:\s]+(-?\d+)/im;

/** What a tool gave, however it was wrapped: a text, a JSON text with `output`, parts, or an object. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') {
    const inner = wrapped(output);
    return inner ? outputText(inner) : output;
  }
  if (Array.isArray(output))
    return output.map((part) => (isObject(part) ? stringOf(part.text) : '')).join('\n');
  if (!isObject(output)) return '';
  const text = stringOf(output.output) || stringOf(output.content) || stringOf(output.text);
  return text || [stringOf(output.stdout), stringOf(output.stderr)].filter(Boolean).join('\n');
}

export function isError(output: unknown): boolean {
  if (typeof output === 'string') {
    const inner = wrapped(output);
    return inner ? isError(inner) : failed(EXIT.exec(output.slice(0, 400))?.[1]);
  }
  if (Array.isArray(output)) return isError(outputText(output));
  if (!isObject(output)) return false;
  if (output.success === false || output.isError === true) return true;
  const { exit_code, exitCode } = isObject(output.metadata) ? output.metadata : output;
  return failed(exit_code ?? exitCode);
}

function failed(code: unknown): boolean {
  return code !== undefined && code !== null && String(code) !== '0';
}

function wrapped(text: string): JsonObject | undefined {
  if (!/^\s*\{\s*"(?:output|metadata|content|success)"/.test(text.slice(0, 80))) return undefined;
  const value = parseOutside(text);
  return isObject(value) ? value : undefined;
}
