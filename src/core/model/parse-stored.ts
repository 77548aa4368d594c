import { isFields, type Schema } from './shape.ts';

/** What a file of our own holds. `why` is half a sentence for a person. */
export type ParsedFile<T> =
  | { state: 'read'; value: T }
  /** Written by another engine or version, and therefore not to be used; not damaged. */
  | { state: 'outdated'; value?: undefined }
  | { state: 'damaged'; value?: undefined; why: string };

/** The field that says by which engine or version a file was written, and those that can be read. */
export type Format = readonly [field: string, ...known: number[]];

/** A file that contains one JSON value. Never throws. */
export function parseStored<T>(content: Buffer | string, schema: Schema<T>, format?: Format): ParsedFile<T> {
  const value = parseOutside(content.toString());
  if (value === undefined) return { state: 'damaged', why: 'it is not JSON' };
  if (format && isOther(value, format)) return { state: 'outdated' };
  return checked(value, schema);
}

/** The place of a damaged line, from 1. */
export type DamagedLine = { line: number; why: string };

/** A file of JSON lines: every sound line, and what is wrong with the others. A last line without its end was never whole. */
export function parseStoredLines<T>(
  text: string,
  schema: Schema<T>,
): { values: T[]; damaged: DamagedLine[] } {
  const values: T[] = [];
  const damaged: DamagedLine[] = [];
  const lines = text.split('\n');
  lines.pop();
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    const read = parseStoredLine(line, schema);
    if (read.state === 'read') values.push(read.value);
    else damaged.push({ line: index + 1, why: read.why });
  }
  return { values, damaged };
}

type ParsedLine<T> = { state: 'read'; value: T } | { state: 'damaged'; value?: undefined; why: string };

export function parseStoredLine<T>(text: string, schema: Schema<T>): ParsedLine<T> {
  const value = parseOutside(text);
  return value === undefined ? { state: 'damaged', why: 'it is not JSON' } : checked(value, schema);
}

/** JSON that others wrote: undefined if it is none. The only place of the core and the use cases that parses. */
export function parseOutside(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checked<T>(value: unknown, schema: Schema<T>): ParsedLine<T> {
  const read = schema.safeParse(value);
  if (read.success) return { state: 'read', value: read.data };
  const [first] = read.error.issues;
  const at = first?.path.map(String).join('.') ?? '';
  return { state: 'damaged', why: `${at === '' ? '' : `${at}: `}${first?.message ?? 'of another form'}` };
}

function isOther(value: unknown, [field, ...known]: Format): boolean {
  if (!isFields(value)) return false;
  const found = value[field];
  return typeof found === 'number' && !known.includes(found);
}
