import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder, FindAsk } from './agent-finder.ts';
import { isQuiet, markOfTime, stageLines } from './stage-lines.ts';

/** A document is read whole; what is larger is no session. */
const LARGEST = 256 * 1024 * 1024;
const PASSED_BY = new Set(['node_modules', '.git']);

export type WalkedFile = FoundTranscript & { below: string };

/** Every file below a folder whose path from there fits, by path; links are followed once. */
export async function filesBelow(
  { folder, unreadable }: Pick<FindAsk, 'folder' | 'unreadable'>,
  fits: RegExp,
  depth: number,
): Promise<WalkedFile[]> {
  const found: WalkedFile[] = [];
  const seen = new Set<string>();
  const visit = async (below: string, left: number): Promise<void> => {
    const own = await stat(join(folder, below)).catch(() => undefined);
    if (!own || seen.has(`${own.dev}:${own.ino}`)) return;
    seen.add(`${own.dev}:${own.ino}`);
    for (const entry of await entriesOf(join(folder, below), unreadable)) {
      const place = below === '' ? entry.name : `${below}/${entry.name}`;
      const kind = entry.isSymbolicLink() ? await stat(join(folder, place)).catch(() => undefined) : entry;
      if (kind?.isDirectory()) {
        if (left > 0 && !PASSED_BY.has(entry.name)) await visit(place, left - 1);
      } else if (kind?.isFile() && fits.test(place)) {
        const file = await foundFile(join(folder, place));
        if (file) found.push({ ...file, below: place });
      }
    }
  };
  await visit('', depth);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export async function foundFile(path: string): Promise<FoundTranscript | undefined> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile()) return undefined;
  const { size, mtimeMs, dev, ino } = file;
  return { path, size, mtimeMs, dev, ino, beside: [] };
}

/** The entries of a folder; one that is not there has none. */
export async function entriesOf(folder: string, unreadable: string[]): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') unreadable.push(folder);
    return [];
  });
}

export async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

type Rows = NonNullable<AgentFinder['document']>['rows'];

/** A document that is staged when it is read; undefined if it is too large to be one. */
export function asDocument(
  file: FoundTranscript,
  rows: Rows,
  { now, staging, unreadable }: Pick<FindAsk, 'now' | 'staging' | 'unreadable'>,
): FoundTranscript[] {
  const { path, size, mtimeMs } = file;
  if (size > LARGEST) {
    unreadable.push(path);
    return [];
  }
  const stage = async () => {
    const text = await readFile(path, 'utf8');
    return stageLines(staging, rows({ text, path, isEnded: isQuiet(mtimeMs, now) }) ?? []);
  };
  return [{ ...file, mtimeMs: markOfTime(mtimeMs, now), stage }];
}
