import type { Stats } from 'node:fs';
import { lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { shortHash } from '../../core/model/ids.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { fillOf } from '../../core/model/purge-mask.ts';
import { fields, figure, list, oneOf, text } from '../../core/model/shape.ts';
import { ifThere } from './disk-fault.ts';
import { fsyncFolder, writeFileAtomic, writeFully } from './write-file.ts';

/** Ranges of a file, from and to. */
export type WipedRange = [from: number, to: number];

const NOTE = fields(
  { version: oneOf(1), path: text, inode: figure, ranges: list(list(figure)) },
  { dev: figure, born: figure },
);

const NOTE_FILE = 'wiping.json';
const ASIDE = '.damaged-';

function notePath(root: string): string {
  return join(root, 'cache', NOTE_FILE);
}

/** Fills ranges of a file in place. They are noted before: a text that is overwritten by half is found by nobody any more. */
export async function fillNoted(root: string, path: string, ranges: readonly WipedRange[]): Promise<void> {
  await noteFill(root, path, ranges);
  await fill(path, ranges);
  await removeNote(root);
}

/** For good: a note that comes back after a power cut would be carried out on what the file is by then. */
async function removeNote(root: string): Promise<void> {
  await rm(notePath(root), { force: true });
  await ifThere(fsyncFolder(dirname(notePath(root))));
}

export async function noteFill(root: string, path: string, ranges: readonly WipedRange[]): Promise<void> {
  const { ino: inode, dev, birthtimeMs, ctimeMs } = await lstat(path);
  // Where a disk does not know when a file was made, it says when it was changed.
  const born = birthtimeMs === ctimeMs || birthtimeMs <= 0 ? {} : { born: birthtimeMs };
  await writeFileAtomic(notePath(root), JSON.stringify({ version: 1, path, inode, dev, ...born, ranges }));
}

/** Notes that were damaged: what they said to fill may still be there by half. Relative to the archive's folder. */
export async function damagedNotes(root: string): Promise<string[]> {
  const names = (await ifThere(readdir(dirname(notePath(root))))) ?? [];
  return names.filter((name) => name.startsWith(`${NOTE_FILE}${ASIDE}`)).map((name) => `cache/${name}`);
}

/** Whether a writer was killed while it filled a file. */
export async function isFillOpen(root: string): Promise<boolean> {
  return (await ifThere(lstat(notePath(root)))) !== undefined;
}

/** Fills what a killed writer left. A file that was rewritten since does not contain it. A damaged note is kept aside. */
export async function finishFill(root: string): Promise<void> {
  const bytes = await ifThere(readFile(notePath(root)));
  const { state, value } = bytes ? parseStored(bytes, NOTE, ['version', 1]) : {};
  if (bytes && state !== 'read') {
    const aside = `${notePath(root)}${ASIDE}${shortHash(bytes.toString('latin1'), 8)}`;
    await rename(notePath(root), aside);
    return fsyncFolder(dirname(aside));
  }
  const found = value && (await ifThere(lstat(value.path)));
  if (value && found?.isFile() && isSame(value, found)) {
    const inside = value.ranges.flatMap(([from = 0, to = 0]): WipedRange[] =>
      to <= found.size ? [[from, to]] : [],
    );
    await fill(value.path, inside);
  }
  await removeNote(root);
}

/** The number of a file that was removed is given to the next one at once. */
function isSame(
  { inode, dev, born }: { inode: number; dev?: number | undefined; born?: number | undefined },
  found: Stats,
): boolean {
  return (
    found.ino === inode &&
    (dev === undefined || found.dev === dev) &&
    (born === undefined || found.birthtimeMs === born)
  );
}

async function fill(path: string, ranges: readonly WipedRange[]): Promise<void> {
  const file = await open(path, 'r+');
  try {
    for (const [from, to] of ranges) await writeFully(file, fillOf(to - from), from);
    await file.sync();
  } finally {
    await file.close();
  }
}
