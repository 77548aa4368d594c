import { hasGluedLine } from '../parse-line.ts';

const QUEUED_COMMAND = Buffer.from('queued_command"');
const COMPACT_BOUNDARY = Buffer.from('compact_boundary"');
const CLOSE_BRACE = 0x7d;
const COMMAND = Buffer.from('<command-');
const DATA_TYPE = Buffer.from(',"data":{"type":"');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const LONGEST_TYPE = 40;
/** `type` as bytes. */
const [T, Y, P, E] = [0x74, 0x79, 0x70, 0x65];

/** Types that never hold anything to remember. */
const NOTHING = new Set([
  'file-history-snapshot',
  'mode',
  'permission-mode',
  'last-prompt',
  'agent-name',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'cost-state',
  'tools-used',
  'atis-latch',
  'pr-link',
  'bridge-session',
  'frame-link',
  'worktree-state',
  'relocated',
]);

/** Types that are read. What is in neither list is unknown, and counted as such. */
const READ = new Set([
  'user',
  'assistant',
  'summary',
  'queue-operation',
  'progress',
  'attachment',
  'system',
  'custom-title',
  'ai-title',
]);

export function isKnownType(type: string): boolean {
  return NOTHING.has(type) || READ.has(type);
}

/** The plain beginning of a line: its type, if that comes before the first nested value, and where it ends. */
export type LineHead = { type?: string; after: number };

/**
 * Walks the bytes of the plain keys and values at the line's start, up to the type or to a `message` that comes first.
 * Undefined when there is anything else before those.
 */
export function lineHead(line: Buffer): LineHead | undefined {
  if (line[0] !== OPEN_BRACE) return undefined;
  let at = 1;
  while (line[at] === QUOTE) {
    const key = at + 1;
    const keyEnd = stringEnd(line, key);
    if (keyEnd === -1 || line[keyEnd + 1] !== COLON) return undefined;
    const value = keyEnd + 2;
    let end: number;
    if (line[value] === QUOTE) {
      end = stringEnd(line, value + 1);
      if (end === -1) return undefined;
      if (isTypeKey(line, key, keyEnd)) {
        if (end - value > LONGEST_TYPE) return undefined;
        return { type: line.toString('latin1', value + 1, end), after: end + 1 };
      }
      end++;
    } else {
      if (line[value] === OPEN_BRACE) return isMessageKey(line, key, keyEnd) ? { after: at - 1 } : undefined;
      end = literalEnd(line, value);
      if (end === -1) return undefined;
    }
    if (line[end] !== COMMA) return undefined;
    at = end + 1;
  }
  return undefined;
}

/** The kind of a line that need not be parsed, or undefined. One that has another object glued on must be. */
export function kindToSkip(line: Buffer, head: LineHead): string | undefined {
  const kind = kindOf(line, head);
  return kind !== undefined && isWhole(line) ? kind : undefined;
}

/** Ends as it should, and has no other line glued on, be it behind a whole one or a torn one. */
function isWhole(line: Buffer): boolean {
  let end = line.length - 1;
  while (line[end] === 0x20 || line[end] === 0x0d || line[end] === 0x09) end--;
  return line[end] === CLOSE_BRACE && !hasGluedLine(line, 1);
}

function kindOf(line: Buffer, { type, after }: LineHead): string | undefined {
  switch (type) {
    case undefined:
    case 'user':
    case 'assistant':
      return undefined;
    case 'progress':
      return skippedProgress(line, after);
    case 'attachment':
      return line.indexOf(QUEUED_COMMAND) === -1 ? 'attachment' : undefined;
    case 'system':
      return line.indexOf(COMPACT_BOUNDARY) === -1 && line.indexOf(COMMAND) === -1 ? 'system' : undefined;
    default:
      return NOTHING.has(type) ? type : undefined;
  }
}

function skippedProgress(line: Buffer, from: number): string | undefined {
  if (!line.subarray(from, from + DATA_TYPE.length).equals(DATA_TYPE)) return undefined;
  const start = from + DATA_TYPE.length;
  const end = stringEnd(line, start);
  if (end === -1 || end - start > LONGEST_TYPE) return undefined;
  const kind = line.toString('latin1', start, end);
  return kind === 'agent_progress' ? undefined : kind;
}

/** The closing quote of the string whose first character is at `from`. */
function stringEnd(line: Buffer, from: number): number {
  for (let i = from; i < line.length; i++) {
    const byte = line[i];
    if (byte === QUOTE) return i;
    if (byte === BACKSLASH) i++;
  }
  return -1;
}

function literalEnd(line: Buffer, from: number): number {
  for (let i = from; i < line.length; i++) {
    const byte = line[i];
    if (byte === COMMA) return i;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET || byte === QUOTE) return -1;
  }
  return -1;
}

function isTypeKey(line: Buffer, from: number, end: number): boolean {
  return (
    end - from === 4 &&
    line[from] === T &&
    line[from + 1] === Y &&
    line[from + 2] === P &&
    line[from + 3] === E
  );
}

function isMessageKey(line: Buffer, from: number, end: number): boolean {
  return end - from === 7 && line.toString('latin1', from, end) === 'message';
}
