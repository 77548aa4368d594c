import type { BundleLine } from '../../core/bundle/bundle-line.ts';
import { type RepoState, type StreamPlace, streamKey } from './repo-state.ts';

/** How much of each file of a session a store has or had, whatever may leave of it today. */
export type LeftBytes = ReadonlyMap<string, number>;

/** What a machine that nobody speaks for had sent, and nobody has sent again: it is for this machine to send. */
export function leftBehind({ received, orphaned }: RepoState, place: StreamPlace): LeftBytes | undefined {
  const files = [...orphaned].flatMap((key) => fileIn(place, key));
  if (files.length === 0) return undefined;
  return new Map(files.map((file) => [file, received.get(streamKey(place, file)) ?? 0]));
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
      const { metadata, ...record } = line.record;
      yield {
        t: 'session',
        // Who reads it looks into the files that came.
        record: { ...record, compressions: [], beside: [], metadata: { ...metadata, subSessions: [] } },
        l1: { bytes: 0, sha256: '' },
        parts: [],
      };
    }
  }
}

function bytesIn({ text, base64 }: Data): Buffer {
  return text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
}

/** As many whole lines as fit. */
export function wholeLines(text: Buffer, most: number): Buffer {
  if (text.length <= most) return text;
  return text.subarray(0, most === 0 ? 0 : text.lastIndexOf(0x0a, most - 1) + 1);
}
