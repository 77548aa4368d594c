import { Fault } from '../core/model/fault.ts';
import { jsonFaultPlace } from './json-fault-place.ts';

/** JSON text as an object of settings; a broken one is a fault that names the line. */
export function parseSettings(text: string, name: string): Record<string, unknown> {
  const value = parse(text.replace(/^\uFEFF/, ''), name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new Fault('config', `${name} must hold one JSON object, such as {"levels": {"light": 4}}.`, {
    hint: 'Put it right with `keepsake config edit`, or move the file away; it was not changed.',
  });
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column } = jsonFaultPlace(text);
    throw new Fault('config', `${name} is not JSON: line ${line}, column ${column}.`, {
      hint: 'Put that line right with `keepsake config edit`, or move the file away; it was not changed.',
      cause,
    });
  }
}
