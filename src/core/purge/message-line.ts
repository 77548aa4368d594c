import { parseOutside } from '../model/parse-stored.ts';
import type { PurgeMark } from '../model/purge-mask.ts';
import { jsonStrings } from '../text/json-strings.ts';
import { markOf, purgeMarks } from './forms.ts';

/** Values that say what a line is and to whom it belongs: without them it could not be read. */
const STRUCTURE = new Set([
  'type',
  'role',
  'uuid',
  'parentUuid',
  'logicalParentUuid',
  'sessionId',
  'timestamp',
  'ts',
  'id',
  'tool_use_id',
  'toolUseID',
  'parentToolUseID',
  'requestId',
  'version',
  'userType',
  'cwd',
  'gitBranch',
  'model',
  'operation',
  'subtype',
  'name',
  'messageId',
  'agentId',
  'sourceToolAssistantUUID',
  'leafUuid',
  'stop_reason',
  'media_type',
  'signature',
]);
/** What tools were given and gave: nothing in it is needed to read a line. */
const FREE = new Set(['input', 'toolUseResult', 'arguments', 'args']);
/** Known by these: overwritten, a line would belong to nobody. */
const NEEDED = new Set(
  [...STRUCTURE].filter((key) => !['name', 'gitBranch', 'model', 'version'].includes(key)),
);
/** Under these keys, in one agent's format or another, is what was said, asked and shown. */
const CONTENT_KEYS = new Set([
  'content',
  'text',
  'thinking',
  'summary',
  'payload',
  'parts',
  'output',
  'result',
  ...FREE,
]);
/** Strings that are looked for wherever else they are, not only in this line. */
const LEAST_SEARCHED = 24;

/** What of a message's line is to go. */
export type MessageMarks = { marks: PurgeMark[]; texts: string[] };

/** Marks of one line of a transcript: the line itself, and each longer text in it. Undefined for what is no JSON. */
export function marksOfLine(line: Buffer, salt: string): MessageMarks | undefined {
  const json = line.toString('utf8').trimEnd();
  if (parseOutside(json) === undefined) return undefined;
  const values = jsonStrings(json).filter(({ path, start, end }) => {
    const key = path.findLast((step) => typeof step === 'string');
    if (end === start || !path.some((step) => CONTENT_KEYS.has(String(step)))) return false;
    return !STRUCTURE.has(String(key)) || path.some((step) => FREE.has(String(step)));
  });
  if (values.length === 0) return { marks: [], texts: [] };
  // Places of characters to places of bytes.
  const ranges = values.map(({ start, end }): [number, number] => {
    const from = Buffer.byteLength(json.slice(0, start));
    return [from, from + Buffer.byteLength(json.slice(start, end))];
  });
  const bytes = Buffer.from(json);
  const whole: PurgeMark = { ...markOf({ bytes, plain: false }, salt), ranges };
  // A path or a command in a tool's input occurs in other messages, too.
  const texts = values
    .filter(({ path }) => !path.some((step) => FREE.has(String(step))))
    .map(({ start, end }) => String(parseOutside(`"${json.slice(start, end)}"`)))
    .filter((text) => text.trim().length >= LEAST_SEARCHED);
  const marks = [...new Set(texts)].flatMap((text) => purgeMarks(text, salt));
  return { marks: [whole, ...marks], texts };
}

/** Where a text is in a line in a way that can't be overwritten: in a key, or in what the line is known by. */
export function structureWith(line: Buffer, text: string): string | undefined {
  return inStructure(parseOutside(line.toString('utf8')), text);
}

function inStructure(value: unknown, text: string): string | undefined {
  if (Array.isArray(value)) {
    for (const item of value) {
      const found = inStructure(item, text);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (key.includes(text)) return key.slice(0, 40);
    if (FREE.has(key)) continue;
    if (typeof item === 'string' && NEEDED.has(key) && item.includes(text)) return key;
    const found = inStructure(item, text);
    if (found !== undefined) return found;
  }
  return undefined;
}
