import type { BundleLine } from '../../core/bundle/bundle-line.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { type RepoState, type StreamPlace, streamKey } from './repo-state.ts';

/** How much of each file of a session a store has or had, whatever may leave of it today. */
export type LeftBytes = ReadonlyMap<string, number>;

/** What a machine that nobody speaks for had sent, and nobody has sent again: it is for this machine to send. */
export function leftBehind(
  { received, sealed, orphaned }: RepoState,
  place: StreamPlace,
): LeftBytes | undefined {
  const files = [...orphaned].flatMap((key) => fileIn(place, key));
  const sent = (file: string) => sealed.get(streamKey(place, file))?.bytes ?? 0;
  const came = (file: string) => received.get(streamKey(place, file)) ?? 0;
  // What this machine sealed itself, with words of its own behind it, is in its own segments as it left.
  if (files.every((file) => sent(file) >= came(file))) return undefined;
  return new Map(files.map((file) => [file, Math.max(sent(file), came(file))]));
}

/** What this machine sealed. */
export function sealedBytes({ sealed }: RepoState, place: StreamPlace): LeftBytes {
  return new Map(
    [...sealed].flatMap(([key, { bytes }]) => fileIn(place, key).map((file) => [file, bytes] as const)),
  );
}

function fileIn(place: StreamPlace, key: string): string[] {
  const stream = streamKey(place, '');
  return key.startsWith(stream) ? [key.slice(stream.length)] : [];
}

type Data = Extract<BundleLine, { t: 'data' }>;

/** The lines of a session with this much of its own files and nothing derived from them. */
export async function* upTo(lines: AsyncIterable<BundleLine>, most: LeftBytes): AsyncGenerator<BundleLine> {
  let left: number | undefined;
  for await (const line of lines) {
    if (line.t === 'file') {
      const { file } = line;
      if (file.kind === 'original') left = most.get('original');
      else left = file.kind === 'beside' ? most.get(file.path.join('/')) : undefined;
      if (left !== undefined) yield line;
    } else if (line.t === 'data') {
      if (left === undefined || left === 0) continue;
      const bytes = bytesIn(line).subarray(0, left);
      left -= bytes.length;
      yield { t: 'data', base64: bytes.toString('base64') };
    } else if (line.t === 'eof') {
      if (left !== undefined) yield line;
      left = undefined;
    } else if (line.t === 'session' && most.has('original')) {
      const record = { ...withoutWords(line.record), compressions: [], beside: [] };
      yield { t: 'session', record, l1: { bytes: 0, sha256: '' }, parts: [] };
    }
  }
}

/** Without what quotes the session, whose later words may not leave: who reads it looks into the files that came. */
export function withoutWords({ name: _, metadata, ...record }: SessionRecord): SessionRecord {
  const { title: __, missed: ___, gitBranch: ____, ...known } = metadata;
  const none = { gitBranches: [], filesTouched: [], filesTouchedCount: 0, subSessions: [] };
  return { ...record, keepitMarkers: [], metadata: { ...known, ...none } };
}

function bytesIn({ text, base64 }: Data): Buffer {
  return text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
}

/** As many whole lines as fit. */
export function wholeTalkLines(text: Buffer, most: number): Buffer {
  if (text.length <= most) return text;
  return text.subarray(0, most === 0 ? 0 : text.lastIndexOf(0x0a, most - 1) + 1);
}
