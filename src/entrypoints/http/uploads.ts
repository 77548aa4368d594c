import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';

/** Folders of uploads in the machine's temporary folder: readable by their owner only, named by 128 random bits. */
const PREFIX = 'keepsake-upload-';
/** An upload that nobody asked for again in this time was left behind. */
const OLD_MS = 60 * 60 * 1000;
const MOST_BYTES = 4 * 1024 ** 3;

export type UploadPiece = {
  /** Without it a new upload begins. */
  upload?: string | undefined;
  name: string;
  /** Bytes of the file that came before. */
  at: number;
  bytes: Buffer;
};

/** Writes a piece of a file that the page sends; an import then reads it by its path. */
export async function addToUpload(
  { upload, name, at, bytes }: UploadPiece,
  nowMs: number,
): Promise<{ upload: string; folder: string; path: string; bytes: number }> {
  const id = upload ?? (await newUpload(nowMs));
  const folder = folderOf(id);
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new Fault('not-found', 'No such upload.', { hint: 'Send the file again.' });
  const path = join(folder, name);
  if (at + bytes.length > MOST_BYTES)
    throw new Fault('too-large', 'The page can upload files of at most 4 GiB.', {
      hint: 'Import it with `keepsake import FILE`.',
    });
  const file = await open(path, at === 0 ? 'wx' : 'r+', 0o600);
  try {
    const { size } = await file.stat();
    if (size !== at)
      throw new Fault('conflict', `The next piece begins at ${size}, not at ${at}.`, {
        hint: 'Send the file again.',
      });
    await file.write(bytes, 0, bytes.length, at);
  } finally {
    await file.close();
  }
  return { upload: id, folder, path, bytes: at + bytes.length };
}

export async function dropUpload(id: string): Promise<void> {
  await rm(folderOf(id), { recursive: true, force: true });
}

async function newUpload(nowMs: number): Promise<string> {
  await sweep(nowMs);
  const id = randomBytes(16).toString('hex');
  await mkdir(folderOf(id), { mode: 0o700 });
  return id;
}

/** Uploads that were left behind. */
async function sweep(nowMs: number): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() && nowMs - found.mtimeMs > OLD_MS)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function folderOf(id: string): string {
  return join(tmpdir(), `${PREFIX}${id}`);
}
