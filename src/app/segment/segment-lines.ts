import { type BundleLine, bundleLineSchema } from '../../core/bundle/bundle-line.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import { type RemoteLine, remoteLineSchema } from '../../core/remote/remote-line.ts';

export type SegmentLine = BundleLine | RemoteLine;

/** Keys that would reach into a prototype. */
const PROTOTYPE = /"(?:__proto__|constructor|prototype)"\s*:/;
const REMOTE_KINDS = new Set(['device', 'piece', 'stored', 'withdraw', 'release', 'confirm', 'retire']);

/** The lines of a segment; undefined where one of them is not what a segment holds. */
export function readSegmentLines(lines: readonly string[]): SegmentLine[] | undefined {
  const read: SegmentLine[] = [];
  for (const text of lines) {
    const line = readSegmentLine(text);
    if (!line) return undefined;
    read.push(line);
  }
  return read;
}

function readSegmentLine(text: string): SegmentLine | undefined {
  const value = parseOutside(text) as { t?: unknown } | undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (REMOTE_KINDS.has(String(value.t))) return remoteLineSchema.safeParse(value).data;
  if (value.t !== 'data' && PROTOTYPE.test(text)) return undefined;
  return bundleLineSchema.safeParse(value).data;
}

type Piece = Extract<SegmentLine, { t: 'piece' }>;

/** Pieces of files, each with the folder whose session it is. */
export function piecesIn(lines: readonly SegmentLine[]): (Piece & { project: string })[] {
  let project = '';
  return lines.flatMap((line) => {
    if (line.t === 'project') project = line.id;
    return line.t === 'piece' ? [{ ...line, project }] : [];
  });
}
