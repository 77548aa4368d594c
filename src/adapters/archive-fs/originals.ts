import { createHash } from 'node:crypto';
import { type FileHandle, lstat, open, readlink, rename, rm, rmdir, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type ProjectId, toSessionId } from '../../core/model/ids.ts';
import type { PurgeMask } from '../../core/model/purge-mask.ts';
import type { Absorbed, Originals, SeenSource } from '../../ports/archive.ts';
import { absorbFile, ownFile } from './absorb.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import { LINK_SUFFIX, originalPath, projectFolder } from './layout.ts';
import { listFiles } from './list-files.ts';
import type { Lock } from './lock.ts';
import type { MaskNow } from './purged-texts.ts';
import {
  fsyncFolder,
  linkAtomic,
  makeFolder,
  openOwn,
  readFully,
  syncFile,
  tempBeside,
  writeFully,
} from './write-file.ts';

const BLOCK = 1 << 20;

export function originals(root: string, lock: Lock, maskNow: MaskNow): Originals {
  const at = (project: ProjectId, name: string) => originalPath(root, project, name);
  return {
    path: at,
    async absorb(project, name, { path: source, seen }, mode) {
      const path = at(project, name);
      const from = resolve(source);
      const mask = await maskNow();
      if (mask) return absorbMasked(path, from, lock, { mask, seen });
      if (mode === 'symlink') {
        const pointed = await point(path, from);
        if (pointed) return pointed;
      }
      return mode === 'link' ? absorbLinked(path, from, lock, seen) : absorbFile(path, from, lock, { seen });
    },
    async extend(project, name, from, bytes) {
      const path = at(project, name);
      if (((await ownFile(path)) ?? 0) !== from || (await maskNow())) return false;
      await writeInto(path, from, bytes);
      return true;
    },
    async size(project, name) {
      return (await ifThere(stat(at(project, name))))?.size;
    },
    async list(project, session) {
      const folder = join(projectFolder(root, project), 'originals');
      const names =
        session === undefined
          ? await listFiles(folder)
          : (await listFiles(join(folder, toSessionId(session)))).map((name) => `${session}/${name}`);
      return names.filter((name) => !name.endsWith(LINK_SUFFIX));
    },
    async hash(project, name, known = [], first = Number.POSITIVE_INFINITY) {
      const path = at(project, name);
      try {
        const file = await open(path, 'r');
        try {
          return await hashBlocks(file, known, first);
        } finally {
          await file.close();
        }
      } catch (error) {
        throw diskFault(error, path, 'read');
      }
    },
    async remove(project, name) {
      const path = at(project, name);
      try {
        await rm(path, { force: true });
        await rm(path + LINK_SUFFIX, { force: true });
        await ifThere(fsyncFolder(dirname(path)));
        await removeEmpty(dirname(path), dirname(at(project, 'any.jsonl')));
      } catch (error) {
        throw diskFault(error, path, 'write');
      }
    },
  };
}

async function writeInto(path: string, from: number, bytes: Buffer): Promise<void> {
  try {
    await makeFolder(dirname(path));
    const file = await openOwn(path);
    try {
      await writeFully(file, bytes, from);
      await syncFile(file, path);
    } finally {
      await file.close();
    }
    if (from === 0) await fsyncFolder(dirname(path));
  } catch (error) {
    throw diskFault(error, path, 'write');
  }
}

/** Undefined where our own copy exists, or where two sources meet: then a copy it is. */
async function point(path: string, source: string): Promise<Absorbed | undefined> {
  const there = await ifThere(lstat(path));
  if (there && !there.isSymbolicLink()) return undefined;
  try {
    const size = (await stat(source)).size;
    if (there) {
      if ((await readlink(path)) === source) return { status: 'same', before: size, after: size };
      if (await ifThere(stat(path))) return undefined;
    }
    await makeFolder(dirname(path));
    const temp = tempBeside(path);
    await symlink(source, temp);
    await rename(temp, path);
    await fsyncFolder(dirname(path));
    return { status: 'new', before: 0, after: size };
  } catch (error) {
    throw diskFault(error, source, 'read');
  }
}

/** A second name for the agent's file keeps what was written after the last sync, even when the agent deletes it. */
async function absorbLinked(
  path: string,
  source: string,
  lock: Lock,
  seen: SeenSource | undefined,
): Promise<Absorbed> {
  const beside = path + LINK_SUFFIX;
  const [theirs, linked] = await Promise.all([ifThere(stat(source)), ifThere(lstat(beside))]);
  if (!theirs && linked) return absorbFile(path, beside, lock);
  const moved = linked && theirs && (linked.ino !== theirs.ino || linked.dev !== theirs.dev);
  // The agent put another file in its place: what the old one still held comes first.
  if (moved) await absorbFile(path, beside, lock);
  const absorbed = await absorbFile(path, source, lock, { seen });
  // Only an extra: where it can't be made, the copy does.
  if (moved || !linked) await linkAtomic(source, beside).catch(() => false);
  return absorbed;
}

/** Where something was purged only own copies are kept: a link would bring it back. */
async function absorbMasked(
  path: string,
  source: string,
  lock: Lock,
  { mask, seen }: { mask: PurgeMask; seen: SeenSource | undefined },
): Promise<Absorbed> {
  if ((await ifThere(lstat(path)))?.isSymbolicLink()) await rm(path);
  const beside = path + LINK_SUFFIX;
  if (await ifThere(lstat(beside))) {
    // What only the link still holds comes first.
    const linked = await absorbFile(path, beside, lock, { mask });
    await rm(beside, { force: true });
    if (!(await ifThere(stat(source)))) return linked;
  }
  return absorbFile(path, source, lock, { seen, mask });
}

async function hashBlocks(
  file: FileHandle,
  known: string[],
  first: number,
): Promise<{ hash: string; blocks: string[] }> {
  const size = Math.min((await file.stat()).size, first);
  const blocks = known.slice(0, Math.floor(size / BLOCK));
  const hashes = [...blocks];
  const buffer = Buffer.allocUnsafe(Math.min(BLOCK, size));
  for (let at = blocks.length * BLOCK; at < size; at += BLOCK) {
    const bytes = await readFully(file, buffer.subarray(0, Math.min(BLOCK, size - at)), at);
    const hash = createHash('sha256').update(bytes).digest('hex');
    hashes.push(hash);
    if (bytes.length === BLOCK) blocks.push(hash);
  }
  return { hash: createHash('sha256').update(hashes.join('')).digest('hex'), blocks };
}

/** Folders that a session's last file leaves: their names say its id. */
async function removeEmpty(folder: string, top: string): Promise<void> {
  for (let path = folder; path.length > top.length && path.startsWith(top); path = dirname(path)) {
    const [outcome] = await Promise.allSettled([rmdir(path)]);
    if (outcome.status === 'rejected') return;
  }
}
