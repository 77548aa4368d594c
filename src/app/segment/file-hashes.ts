import { createHash, type Hash } from 'node:crypto';
import type { SegmentLine } from './segment-lines.ts';

/** The hashes that pieces of files name, of what the files are now: each of its file up to the end of the piece. */
export class FileHashes {
  readonly #files = new Map<string, { hash: Hash; bytes: number }>();

  /** The lines of the next segment. Undefined where a piece is missing before it. */
  renew(lines: readonly SegmentLine[]): SegmentLine[] | undefined {
    const renewed = [...lines];
    let open: { at: number; end: number; file: { hash: Hash; bytes: number } } | undefined;
    for (const [at, line] of lines.entries()) {
      if (line.t === 'piece') {
        const key = `${line.session}/${line.file}`;
        const file = this.#files.get(key) ?? { hash: createHash('sha256'), bytes: 0 };
        this.#files.set(key, file);
        if (file.bytes !== line.at) return undefined;
        open = { at, end: line.end, file };
      } else if (line.t === 'data' && open) {
        const bytes =
          line.text === undefined ? Buffer.from(line.base64 ?? '', 'base64') : Buffer.from(line.text);
        open.file.hash.update(bytes);
        open.file.bytes += bytes.length;
      } else if (line.t === 'eof' && open) {
        const piece = lines[open.at]!;
        if (piece.t !== 'piece' || open.file.bytes !== open.end) return undefined;
        renewed[open.at] = { ...piece, sha256: open.file.hash.copy().digest('hex') };
        open = undefined;
      }
    }
    return renewed;
  }
}
