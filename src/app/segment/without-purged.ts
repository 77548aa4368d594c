import { createHash } from 'node:crypto';
import type { PurgeMask } from '../../core/model/purge-mask.ts';
import { sessionOfEdit } from '../../core/model/session-of-edit.ts';
import { withoutSession } from '../../core/rolling/entry.ts';
import { sessionMark } from '../rolling/delta.ts';
import { recordKeysIn } from './line-keys.ts';
import type { SegmentLine } from './segment-lines.ts';
import { withoutTopics } from './without-topics.ts';

export type Cleaned = {
  lines: SegmentLine[];
  isChanged: boolean;
  /** A text was overwritten in it: a file may have other bytes now, and every hash of it is another. */
  isRewritten: boolean;
  /** What is gone although it was not purged itself: it must be sealed again. */
  lost: string[];
};

type FileGroup = { file: Extract<SegmentLine, { t: 'file' }>; lines: SegmentLine[] };

/** Lines of a segment without some sessions, and with purged texts overwritten by as many bytes. */
export function withoutPurged(
  lines: readonly SegmentLine[],
  sessions: ReadonlySet<string>,
  mask: PurgeMask,
): Cleaned {
  const cleaned: Cleaned = { lines: [], isChanged: false, isRewritten: false, lost: [] };
  const composed = new Set(
    lines.flatMap((line) => (line.t === 'composition' && isOf(line, sessions) ? [line.record.name] : [])),
  );
  let group: FileGroup | undefined;
  for (const line of lines) {
    if (line.t === 'file') group = { file: line, lines: [line] };
    else if (group && line.t === 'data') group.lines.push(line);
    else if (group && line.t === 'eof') {
      group.lines.push(line);
      takeFile(cleaned, group, { sessions, composed, mask });
      group = undefined;
    } else if (isOf(line, sessions)) cleaned.isChanged = true;
    else {
      const named = withoutNames(line, sessions);
      const left = cleanStrings(named, mask);
      cleaned.isRewritten ||= JSON.stringify(left) !== JSON.stringify(named);
      cleaned.isChanged ||= cleaned.isRewritten || named !== line;
      cleaned.lines.push(left);
    }
  }
  return cleaned;
}

/** Whether a line is about one of these sessions and nothing else. */
function isOf(line: SegmentLine, sessions: ReadonlySet<string>): boolean {
  return sessionsOf(line).some((session) => sessions.has(session));
}

function sessionsOf(line: SegmentLine): string[] {
  if (line.t === 'piece' || line.t === 'stored') return [line.session];
  if (line.t === 'session') return [line.record.sessionId];
  if (line.t === 'overlay') return [line.overlay.sessionId];
  if (line.t === 'link') return [line.link.sourceSession];
  if (line.t === 'fact') return [sessionOfEdit(line.edit)];
  return line.t === 'composition' ? line.record.components.map(({ sessionId }) => sessionId) : [];
}

/** Sessions of which lines say something, as they are called there. */
export function sessionsNamedIn(lines: readonly SegmentLine[]): string[] {
  return lines.flatMap((line) => {
    if (line.t === 'file') return 'session' in line.file ? [line.file.session] : [];
    if (line.t !== 'project') return sessionsOf(line);
    return (line.fields ?? []).flatMap(({ field, key }) => (field === 'session' ? [key] : []));
  });
}

type Gone = { sessions: ReadonlySet<string>; composed: ReadonlySet<string>; mask: PurgeMask };

function takeFile(
  cleaned: Cleaned,
  { file: { file }, lines }: FileGroup,
  { sessions, composed, mask }: Gone,
): void {
  const isGone =
    ('session' in file && sessions.has(file.session)) ||
    (file.kind === 'composition' && composed.has(file.name));
  // What rolling memory is now is sealed again.
  const isQuoting = file.kind === 'memory' && quotes(file.name, lines, sessions);
  if (isGone || isQuoting) {
    cleaned.isChanged = true;
    if (isQuoting) cleaned.lost.push(...recordKeysIn(lines));
    return;
  }
  const hash = createHash('sha256');
  let isChanged = false;
  for (const line of lines) {
    if (line.t === 'data') {
      const left = cleanData(line, mask, isJsonFile(file));
      hash.update(bytesOf(left));
      isChanged ||= left !== line;
      cleaned.lines.push(left);
    } else if (line.t === 'eof' && isChanged) cleaned.lines.push({ ...line, sha256: hash.digest('hex') });
    else cleaned.lines.push(line);
  }
  cleaned.isChanged ||= isChanged;
  cleaned.isRewritten ||= isChanged;
}

/** Whether a file of rolling memory may hold words of one of these sessions: its entries say whose they are, a summary does not. */
function quotes(name: string, lines: readonly SegmentLine[], sessions: ReadonlySet<string>): boolean {
  if (sessions.size === 0) return false;
  if (isSummary(name)) return true;
  const marks = new Set([...sessions].map(sessionMark));
  const text = Buffer.concat(lines.flatMap((line) => (line.t === 'data' ? [bytesOf(line)] : []))).toString();
  return withoutSession(text, (mark) => marks.has(mark)) !== text;
}

/** Each machine makes its own from the archives that it has, so they do not leave. */
export function isSummary(name: string): boolean {
  return name.endsWith('.summary.json');
}

/** Names that were given to a session, and topics: any of those may be named in its words. */
function withoutNames(line: SegmentLine, sessions: ReadonlySet<string>): SegmentLine {
  if (line.t === 'session' && sessions.size > 0) return withoutTopics(line);
  if (line.t !== 'project' || !line.fields) return line;
  const fields = line.fields.filter(({ field, key }) => field !== 'session' || !sessions.has(key));
  return fields.length === line.fields.length ? line : { ...line, fields };
}

function isJsonFile(file: FileGroup['file']['file']): boolean {
  if (file.kind === 'original') return true;
  if (file.kind === 'beside') return /\.jsonl?$/.test(file.path.at(-1) ?? '');
  return 'ending' in file && file.ending !== 'md';
}

type Data = Extract<SegmentLine, { t: 'data' }>;

function cleanData(line: Data, mask: PurgeMask, isJson: boolean): Data {
  const bytes = bytesOf(line);
  if (mask.apply(bytes, isJson).length === 0) return line;
  return line.text === undefined
    ? { ...line, base64: bytes.toString('base64') }
    : { ...line, text: bytes.toString() };
}

function bytesOf({ text, base64 }: Data): Buffer {
  return text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
}

/** Marks of a purge are no text of it. */
function cleanStrings<V>(value: V, mask: PurgeMask): V {
  if (typeof value === 'string') return mask.clean(value) as V;
  if (Array.isArray(value)) return value.map((item) => cleanStrings(item, mask)) as V;
  if (typeof value !== 'object' || value === null) return value;
  if ('marks' in value && 'salt' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleanStrings(item, mask)])) as V;
}
