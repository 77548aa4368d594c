import type { SessionLine } from '../../core/bundle/bundle-line.ts';
import { compositionContentId, versionContentId } from '../../core/bundle/content-id.ts';
import { shortHash } from '../../core/model/ids.ts';
import { streamBase } from '../../core/model/stream-id.ts';
import type { SegmentLine } from './segment-lines.ts';

/** What lines say, by key: the same on every device, whatever else differs. */
export function recordKeysIn(lines: readonly SegmentLine[]): string[] {
  let memory: string | undefined;
  return lines.flatMap((line) => {
    if (line.t === 'file') memory = line.file.kind === 'memory' ? line.file.name : undefined;
    if (line.t === 'eof') return memory === undefined ? [] : [memoryFileKey(memory, line.sha256)];
    return recordKeys(line);
  });
}

/** Lines that only carry bytes have none. */
export function recordKeys(line: SegmentLine): string[] {
  switch (line.t) {
    case 'project':
      return [
        ...(line.fields ?? []).map(({ editId }) => `e:${editId}`),
        ...(line.notes === undefined && line.blocks === undefined ? [] : [memoryKey(line)]),
      ];
    case 'session':
      return [sessionKey(line)];
    case 'overlay':
      return [`o:${line.overlay.overlayId}`];
    case 'tombstone':
      return [`t:${line.tombstone.kind}:${line.tombstone.id}:${line.tombstone.at}`];
    case 'link':
      return [`l:${line.link.linkId}`];
    case 'fact':
      return [`f:${line.edit.editId}`];
    case 'concept':
      return [`c:${line.edit.editId}`];
    case 'composition':
      return [compositionContentId(line.record)];
    case 'withdraw':
      return [
        `w:${line.session}:${line.at}`,
        ...(line.mark === undefined ? [] : [markKey(line.session, line.mark)]),
      ];
    case 'release':
      return [markKey(line.session, line.mark)];
    case 'confirm':
      return [`p:${line.tombstone}`];
    case 'retire':
      return [`r:${line.device}`];
    default:
      return [];
  }
}

/** That a session is private, or no longer, was said. */
export function markKey(session: string, mark: string): string {
  return `v:${session}:${mark}`;
}

/** Of a key that only counts where it was said. */
export function heardKey(key: string): string {
  return `h:${key.slice(2)}`;
}

/** Sessions that were private at some time, as far as these keys say so. */
export function namedPrivate(keys: ReadonlySet<string>): Set<string> {
  return new Set([...keys].flatMap((key) => (/^[vhw]:/.test(key) ? [streamBase(key.split(':')[1]!)] : [])));
}

/** What differs by machine is left out: where it is, when it was last used. */
function sessionKey({ record, parts }: SessionLine): string {
  const cut = parts.map(({ part, bytes }) => [part, bytes]);
  const versions = record.compressions.map(versionContentId).sort();
  return `s:${shortHash(JSON.stringify([record.sessionId, record.registered, cut, versions]), 16)}`;
}

/** Of a file of rolling memory. */
function memoryFileKey(name: string, sha256: string): string {
  return `m:${name}:${sha256.slice(0, 16)}`;
}

function memoryKey({ notes, blocks }: { notes?: unknown; blocks?: unknown }): string {
  return `n:${shortHash(JSON.stringify([sorted(notes), sorted(blocks)]), 16)}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]);
}
