const TYPE = Buffer.from('"type":"');
const DATA_TYPE = Buffer.from(',"data":{"type":"');
const QUEUED_COMMAND = Buffer.from('"queued_command"');
const COMPACT_BOUNDARY = Buffer.from('compact_boundary"');
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const QUOTE = 0x22;
const LONGEST_TYPE = 40;

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

/**
 * The kind of a line that need not be parsed, or undefined. Looks at bytes only: the first `"type":"` with no `{` or
 * `[` before it is the line's own type.
 */
export function kindToSkip(line: Buffer): string | undefined {
  const at = line.indexOf(TYPE);
  if (at === -1 || nestedBefore(line, at)) return undefined;
  const start = at + TYPE.length;
  const end = line.indexOf(QUOTE, start);
  if (end === -1 || end - start > LONGEST_TYPE) return undefined;
  const type = line.toString('latin1', start, end);
  if (type === 'progress') return skippedProgress(line, end + 1);
  if (type === 'attachment') return line.indexOf(QUEUED_COMMAND) === -1 ? 'attachment' : undefined;
  if (type === 'system') return line.indexOf(COMPACT_BOUNDARY) === -1 ? 'system' : undefined;
  return NOTHING.has(type) ? type : undefined;
}

function nestedBefore(line: Buffer, at: number): boolean {
  for (let i = 1; i < at; i++) {
    const byte = line[i];
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return true;
  }
  return false;
}

function skippedProgress(line: Buffer, from: number): string | undefined {
  if (line.compare(DATA_TYPE, 0, DATA_TYPE.length, from, from + DATA_TYPE.length) !== 0) return undefined;
  const start = from + DATA_TYPE.length;
  const end = line.indexOf(QUOTE, start);
  if (end === -1 || end - start > LONGEST_TYPE) return undefined;
  const kind = line.toString('latin1', start, end);
  return kind === 'agent_progress' ? undefined : kind;
}
