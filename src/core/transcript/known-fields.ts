import type { ReadObject } from './claude-code/read-object.ts';
import { holdsWords } from './lost-words.ts';
import { isObject, type JsonObject } from './parse-line.ts';

/** What a reader knows of one object of a format: all of its fields, if it knows them, and which it can't do without. */
export type KnownFields = {
  what: string;
  fields?: ReadonlySet<string>;
  /** Of each list one must be there. */
  needs: readonly (readonly string[])[];
};

/** `knownFields('call', 'name args|arguments', 'id name args')`: what it needs, then all that it may have. */
export function knownFields(what: string, needs: string, fields?: string): KnownFields {
  const words = (text: string) => text.split(' ').filter(Boolean);
  return {
    what,
    needs: words(needs).map((one) => one.split('|')),
    ...(fields === undefined ? {} : { fields: new Set([...words(fields), ...needs.split(/[ |]/)]) }),
  };
}

/**
 * Counts what a newer version may have renamed: a field that is not there, or one that its reader does not know and that
 * holds something.
 */
export function withGaps(read: ReadObject, known: KnownFields, objects: unknown): ReadObject {
  if (read.unknown !== undefined) return read;
  for (const object of Array.isArray(objects) ? objects : [objects]) {
    const gap = isObject(object) ? gapIn(object, known) : undefined;
    if (gap !== undefined) return { ...read, unknown: gap };
  }
  return read;
}

export function gapIn(object: JsonObject, { what, fields, needs }: KnownFields): string | undefined {
  const missing = needs.find((names) => !names.some((name) => object[name] !== undefined));
  if (missing) return `${what} without ${missing[0]}`;
  const odd = fields && Object.keys(object).find((name) => !fields.has(name) && holdsSomething(object[name]));
  return odd === undefined ? undefined : `field ${odd} in ${what}`;
}

function holdsSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : holdsWords(value);
}
