import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { BundleFile, BundleLine } from '../../core/bundle/bundle-line.ts';
import { maskJsonLine, maskSecrets } from '../../core/bundle/mask-secrets.ts';
import { isSessionId, type ProjectId } from '../../core/model/ids.ts';
import { sessionSecrets } from '../intake/session-secrets.ts';
import type { World } from '../world.ts';

/** Content that is in one line of a bundle. */
const PIECE = 256 * 1024;
/** A longer line is no message: it is masked piece by piece, as plain text. */
const LONG_LINE = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

export type FileOptions = {
  /** How secrets in it are masked; undefined if they stay. */
  mask?: ((line: string) => string) | undefined;
  onMasked?: (place: MaskedPlace) => void;
};

/** Where a secret was masked: a line of a file, and what is around the secret there. */
export type MaskedPlace = { line: number; around: string };

/** A file as lines of a bundle: a header, its content piece by piece, its checksum. */
export async function* fileLines(
  file: BundleFile,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { mask, onMasked }: FileOptions = {},
): AsyncGenerator<BundleLine> {
  yield { t: 'file', file };
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of mask ? masked(pieces, mask, onMasked) : pieces) {
    for (let at = 0; at < piece.length; ) {
      const end = cutAt(piece, at);
      const part = piece.subarray(at, end);
      hash.update(part);
      bytes += part.length;
      yield dataLine(Buffer.from(part));
      at = end;
    }
  }
  yield { t: 'eof', bytes, sha256: hash.digest('hex') };
}

function dataLine(bytes: Buffer): BundleLine {
  const text = isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  return text === undefined ? { t: 'data', base64: bytes.toString('base64') } : { t: 'data', text };
}

/** Behind a newline where one is near, else between two characters. */
function cutAt(bytes: Uint8Array, from: number): number {
  const end = from + PIECE;
  if (end >= bytes.length) return bytes.length;
  const line = bytes.lastIndexOf(NEWLINE, end - 1);
  if (line >= from) return line + 1;
  let cut = end;
  while (cut > end - 4 && (bytes[cut]! & 0xc0) === 0x80) cut--;
  return cut;
}

/** Line by line, since a mask needs whole lines. */
async function* masked(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mask: (line: string) => string,
  onMasked: FileOptions['onMasked'],
): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let number = 1;
  const noted = (line: string, safe: string) => {
    if (safe !== line) onMasked?.({ line: number, around: around(line, safe) });
    return safe;
  };
  const clean = (bytes: Buffer, by: (line: string) => string) => {
    // What is no text contains no secret that anyone could read.
    if (!isUtf8(bytes)) return bytes;
    const text = bytes.toString('utf8');
    const safe = text
      .split('\n')
      .map((line, index) => {
        if (index > 0) number++;
        return noted(line, by(line));
      })
      .join('\n');
    return safe === text ? bytes : Buffer.from(safe);
  };
  for await (const piece of pieces) {
    held = Buffer.concat([held, piece]);
    const end = held.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield clean(Buffer.from(held.subarray(0, end)), mask);
    else if (held.length < LONG_LINE) continue;
    else yield clean(held, maskSecrets);
    held = end > 0 ? Buffer.from(held.subarray(end)) : Buffer.alloc(0);
  }
  if (held.length > 0) yield clean(held, mask);
}

const BEFORE = 30;
const BEHIND = 15;

/** A masked line is as long as it was: what differs first and last is the secret. */
function around(line: string, safe: string): string {
  let [from, to] = [0, safe.length];
  while (from < to && line[from] === safe[from]) from++;
  while (to > from && line.at(to - line.length - 1) === safe.at(to - safe.length - 1)) to--;
  return `${safe.slice(Math.max(0, from - BEFORE), from)}[masked]${safe.slice(to, to + BEHIND)}`;
}

/** Lines of a transcript are JSON; other files are plain text. What is recognized elsewhere in the session goes, too. */
export async function maskFor(
  world: World,
  project: ProjectId,
  name: string,
): Promise<(line: string) => string> {
  const mask = name.endsWith('.jsonl') ? maskJsonLine : maskSecrets;
  const session = name.replace(/\/.*|\.jsonl$/, '');
  const known = isSessionId(session) ? await sessionSecrets(world, { project, session }) : undefined;
  return (line) => mask(known ? known.cover(line) : line);
}
