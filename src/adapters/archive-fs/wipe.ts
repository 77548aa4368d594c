import { lstat, open, readdir, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type PurgedText, PurgeMask } from '../../core/model/purge-mask.ts';
import type { SearchedBytes, Wiped, WipeRequest } from '../../ports/archive.ts';
import { ownFile } from './absorb.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import { LINK_SUFFIX } from './layout.ts';
import type { Lock } from './lock.ts';
import { fillNoted, finishFill, isFillOpen, type WipedRange } from './wipe-note.ts';
import { readFully } from './write-file.ts';

/** Small: a piece that may hold a text is looked through in one go, and others wait for it. */
const PIECE = 256 << 10;
const BEFORE = 64;
/** Lock files and rebuilt files: nothing else may open the lock's file. */
const LEFT_OUT = /^(lock|purge-lock|index)\.sqlite/;
/** Files that the change and fold operations rewrite completely, with their checksums. */
const MANIFESTS = /^manifest\..*(json|log)$/;

/** Overwrites purged texts where they are; a copy that shares its bytes with the agent's file becomes an own one first. */
export async function wipe(
  root: string,
  lock: Lock,
  texts: PurgedText[],
  { overwrite, only, signal, onLooked }: WipeRequest,
): Promise<Wiped> {
  const mask = new PurgeMask(texts);
  const wiped: Wiped = { files: [], looked: { files: 0, bytes: 0 } };
  const tops = only ?? [root];
  const report = onLooked && percents(await bytesBelow(tops, root, signal), onLooked);
  if (overwrite && (await isFillOpen(root))) await lock.hold(() => finishFill(root));
  for (const top of tops) {
    for await (const path of filesBelow(top, top === root)) {
      if (!overwrite) signal?.throwIfAborted();
      try {
        const named = mask.find(Buffer.from(path.slice(top.length)), false).length > 0;
        const isFilled = overwrite && !MANIFESTS.test(basename(path));
        const wipeOne = () => wipeFile({ root, path }, mask, isFilled, wiped);
        const places = overwrite ? await lock.hold(wipeOne) : await wipeOne();
        if (places.length > 0 || named)
          wiped.files.push({ path, matches: places.length, ...firstOf(places), ...(named ? { named } : {}) });
        report?.(wiped.looked.bytes);
      } catch (error) {
        throw diskFault(error, path, overwrite ? 'write' : 'read');
      }
    }
  }
  return wiped;
}

/** What a search will read. */
async function bytesBelow(tops: readonly string[], root: string, signal?: AbortSignal): Promise<number> {
  let bytes = 0;
  for (const top of tops)
    for await (const path of filesBelow(top, top === root)) {
      signal?.throwIfAborted();
      const found = await ifThere(lstat(path));
      if (found?.isFile()) bytes += found.size;
    }
  return bytes;
}

/** Files may grow meanwhile: never more than all of it. */
function percents(total: number, onLooked: (looked: SearchedBytes) => void): (bytes: number) => void {
  let last = -1;
  return (bytes) => {
    const done = Math.min(bytes, total);
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    if (percent === last) return;
    last = percent;
    onLooked({ done, total });
  };
}

function firstOf(places: readonly number[]): { first?: number } {
  return places.length === 0 ? {} : { first: places.reduce((least, at) => Math.min(least, at)) };
}

async function* filesBelow(path: string, isRoot: boolean): AsyncGenerator<string> {
  const found = await ifThere(lstat(path));
  if (!found) return;
  if (!found.isDirectory()) {
    yield path;
    return;
  }
  for (const entry of (await ifThere(readdir(path, { withFileTypes: true }))) ?? []) {
    if (isRoot && LEFT_OUT.test(entry.name)) continue;
    const below = join(path, entry.name);
    if (entry.isDirectory()) yield* filesBelow(below, false);
    else if (entry.isFile() || entry.isSymbolicLink()) yield below;
  }
}

async function wipeFile(
  { root, path }: { root: string; path: string },
  mask: PurgeMask,
  overwrite: boolean,
  wiped: Wiped,
): Promise<number[]> {
  const found = await ifThere(lstat(path));
  if (!found) return [];
  // Elsewhere it is someone else's file; what the link says is looked at.
  if (found.isSymbolicLink()) {
    const target = Buffer.from((await ifThere(readlink(path))) ?? '');
    return mask.find(target, false).map(({ start }) => start);
  }
  wiped.looked.files++;
  wiped.looked.bytes += found.size;
  // Others may remove it between two steps.
  const matches = (await ifThere(scan(path, mask))) ?? new Map<number, Place>();
  const places = [...matches.keys()];
  if (places.length === 0 || !overwrite) return places;
  if (path.endsWith(LINK_SUFFIX)) {
    await rm(path, { force: true });
    return places;
  }
  if (found.nlink > 1) await ownFile(path);
  await ifThere(fillNoted(root, path, [...matches.values()].flat()));
  return places;
}

type Place = WipedRange[];

/** What is to be overwritten, by the byte where each match begins. */
async function scan(path: string, mask: PurgeMask): Promise<Map<number, Place>> {
  const json = /\.jsonl?$/.test(path);
  const around = Math.max(0, mask.longest - 1);
  // A long text would be read again with every piece.
  const piece = Math.max(PIECE, 4 * around);
  const file = await open(path, 'r');
  const places = new Map<number, Place>();
  try {
    const { size } = await file.stat();
    for (let at = 0; at < size; at += piece) {
      const from = Math.max(0, at - BEFORE);
      const to = Math.min(size, at + piece + around);
      const bytes = await readFully(file, Buffer.allocUnsafe(to - from), from);
      for (const { start, fill } of mask.find(bytes, json)) {
        if (places.has(from + start)) continue;
        places.set(
          from + start,
          fill.map(([first, end]) => [from + first, from + end]),
        );
      }
    }
  } finally {
    await file.close();
  }
  return places;
}
