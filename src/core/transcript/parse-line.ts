import { parseOutside } from '../model/parse-stored.ts';
/** What one line of a JSONL file holds: usually one object, sometimes two glued together, sometimes none. */
export type ParsedLine = {
  objects: JsonObject[];
  /** Where each object is in the line, in bytes; only given when it is not the whole line. */
  places?: [start: number, end: number][];
  bad: boolean;
};
export type JsonObject = { [key: string]: unknown };

const CUT = Buffer.from(',"toolUseResult":');
const ANSWERED = [Buffer.from('"questions":['), Buffer.from('"answers":{')];
/** Where the result of a question says that it is one. */
const NEAR = 64;
/** What shows that another line is glued on, behind a whole object or a torn one. */
const PARENT = Buffer.from('{"parentUuid":');
const OTHERS = [Buffer.from('}{"'), Buffer.from('{"type":"queue-operation"')];
/** How most results of tools end: if another line follows one, it is of a kind that `PARENT` shows. */
const RESULT_TAIL = Buffer.from(',"sourceToolAssistantUUID":"');
const TAIL_LENGTH = RESULT_TAIL.length + 36 + 2;
const AGENT_ID = Buffer.from('"agentId":"');
const BEGINNING = /\{"(?:parentUuid|type|ts|role|sessionId)":/g;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Parses a line. `toolUseResult` (41 % of all bytes, a second copy of the result) is cut out before parsing where that
 * is safe: the bytes `,"toolUseResult":` can't be inside a JSON string, since there the quotes are escaped.
 */
export function parseLine(line: Buffer, whole: boolean): ParsedLine {
  if (!whole) {
    const at = line.indexOf(CUT);
    // What was asked and answered is a person's, and short.
    if (at > 0 && !isQuestions(line, at)) {
      const object = parseHead(line, at);
      if (object) return { objects: [object], bad: false };
    }
  }
  const text = line.toString('utf8');
  const value = parseOutside(text);
  if (value === undefined) return splitGlued(text);
  return isObject(value) ? { objects: [value], bad: false } : { objects: [], bad: true };
}

/** Whether the result of a question to the user is at this place. */
export function isQuestions(line: Buffer, at: number): boolean {
  if (line[at + CUT.length] !== OPEN) return false;
  const near = line.subarray(at + CUT.length, at + CUT.length + NEAR);
  return ANSWERED.some((key) => near.includes(key));
}

export function hasGluedLine(line: Buffer, from: number): boolean {
  if (line.indexOf(PARENT, from) !== -1) return true;
  const tail = line.length - TAIL_LENGTH;
  if (tail > from && line.compare(RESULT_TAIL, 0, RESULT_TAIL.length, tail, tail + RESULT_TAIL.length) === 0)
    return false;
  return OTHERS.some((beginning) => line.indexOf(beginning, from) !== -1);
}

/** The line without its `toolUseResult`, or undefined if the whole line must be parsed. */
function parseHead(line: Buffer, at: number): JsonObject | undefined {
  if (line[lastByte(line)] !== CLOSE || hasGluedLine(line, at)) return undefined;
  const value = parseOutside(`${line.toString('utf8', 0, at)}}`);
  if (!isObject(value) || typeof value.uuid !== 'string' || typeof value.timestamp !== 'string')
    return undefined;
  const agentId = quotedAfter(line, AGENT_ID, at);
  const changed = changedLines(line, at);
  value.toolUseResult = {
    ...(agentId === undefined ? {} : { agentId }),
    ...(changed === '' ? {} : { changed }),
  };
  return value;
}

const PATCH = Buffer.from('"structuredPatch":[{"');
const NEW_START = Buffer.from('"newStart":');
const NEW_LINES = Buffer.from('"newLines":');
const MOST_HUNKS = 3;
const FILE_PATH = Buffer.from('"filePath":');
/** Bytes behind a line's own fields in which the result of an edit says that it is one. */
const NEAR_RESULT = 400;

/** The lines that an edit changed, from the patch that the client writes beside its result. */
export function changedLines(line: Buffer, from: number): string {
  const hunks: string[] = [];
  let at = namesFile(line, from) ? line.indexOf(PATCH, from) : -1;
  while (at !== -1 && hunks.length < MOST_HUNKS) {
    at = line.indexOf(NEW_START, at);
    if (at === -1) break;
    const start = numberAt(line, at + NEW_START.length);
    const lines = line.indexOf(NEW_LINES, at);
    const count = lines === -1 ? 0 : numberAt(line, lines + NEW_LINES.length);
    if (!Number.isFinite(start) || !Number.isFinite(count)) break;
    hunks.push(`${start}-${start + Math.max(count, 1) - 1}`);
    at += NEW_START.length;
  }
  return hunks.join(',');
}

/** The result of an edit names its file first; that of a command may be long. */
function namesFile(line: Buffer, from: number): boolean {
  const near = line.subarray(from, from + NEAR_RESULT);
  return near.indexOf(FILE_PATH) !== -1 || near.indexOf(PATCH) !== -1;
}

function numberAt(line: Buffer, from: number): number {
  let end = from;
  while (line[end]! >= 0x30 && line[end]! <= 0x39) end++;
  return end === from || end - from > 9 ? Number.NaN : Number(line.toString('latin1', from, end));
}

function quotedAfter(line: Buffer, key: Buffer, from: number): string | undefined {
  const at = line.indexOf(key, from);
  const end = at === -1 ? -1 : line.indexOf(0x22, at + key.length);
  return end === -1 ? undefined : line.toString('utf8', at + key.length, end);
}

function lastByte(line: Buffer): number {
  let end = line.length - 1;
  while (end > 0 && (line[end] === 0x20 || line[end] === 0x0d || line[end] === 0x09)) end--;
  return end;
}

/** Every complete object of a line that is not one JSON value; `bad` when anything else is left over. */
export function splitGlued(text: string): ParsedLine {
  const objects: JsonObject[] = [];
  const places: [number, number][] = [];
  let bad = false;
  let from = 0;
  let bytes = 0;
  while (from < text.length) {
    const start = text.indexOf('{', from);
    if (start === -1) {
      bad ||= text.slice(from).trim() !== '';
      break;
    }
    bad ||= text.slice(from, start).trim() !== '';
    const end = objectEnd(text, start);
    if (end === -1) {
      // Torn, and another line was written right after it: continue where one begins.
      bad = true;
      const next = nextBeginning(text, start + 1);
      if (next === -1) break;
      bytes += Buffer.byteLength(text.slice(from, next));
      from = next;
      continue;
    }
    const begins = bytes + Buffer.byteLength(text.slice(from, start));
    bytes = begins + Buffer.byteLength(text.slice(start, end));
    const object = parseOutside(text.slice(start, end));
    if (isObject(object)) {
      objects.push(object);
      places.push([begins, bytes]);
    } else {
      bad = true;
      const next = nextBeginning(text, start + 1);
      if (next !== -1 && next < end) {
        bytes = begins + Buffer.byteLength(text.slice(start, next));
        from = next;
        continue;
      }
    }
    from = end;
  }
  return { objects, places, bad: bad || objects.length === 0 };
}

/** Where a line of an agent may begin; quotes inside a string are escaped, so none is found there. */
function nextBeginning(text: string, from: number): number {
  BEGINNING.lastIndex = from;
  return BEGINNING.exec(text)?.index ?? -1;
}

function objectEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      i = stringEnd(text, i);
      if (i === -1) return -1;
    } else if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return i + 1;
  }
  return -1;
}

function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) i++;
    else if (code === 0x22) return i;
  }
  return -1;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
