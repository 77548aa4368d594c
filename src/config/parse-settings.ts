import { Fault } from '../core/model/fault.ts';
import { jsonFaultPlace } from './json-fault-place.ts';

/** JSON text as an object of settings; a broken one is a fault that names the line. */
export function parseSettings(text: string, name: string): Record<string, unknown> {
  const value = parse(text.replace(/^\uFEFF/, ''), name);
  if (isDeep(value)) {
    throw new Fault('config', `${name} nests its settings more than ${DEEPEST} levels deep.`, {
      hint: 'Correct it with `keepsake config edit`, or move the file away; it was not changed.',
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new Fault('config', `${name} must contain one JSON object, such as {"levels": {"light": 4}}.`, {
    hint: 'Correct it with `keepsake config edit`, or move the file away; it was not changed.',
  });
}

/** Far deeper than any setting; the reader of settings recurses level by level. */
const DEEPEST = 100;

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    level = level.flatMap((it) => (typeof it === 'object' && it !== null ? Object.values(it) : []));
  }
  return level.length > 0;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column } = jsonFaultPlace(text);
    throw new Fault('config', `${name} is not JSON: line ${line}, column ${column}.`, {
      hint: 'Correct that line with `keepsake config edit`, or move the file away; it was not changed.',
      cause,
    });
  }
}
