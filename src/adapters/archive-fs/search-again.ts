import { lstat, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { foldText, type Needle } from '../../core/model/folded-text.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import type { SecondSearch } from '../../ports/archive.ts';
import { diskFault, ifThere } from './disk-fault.ts';
import { readFully } from './write-file.ts';

const PIECE = 8 << 20;
/** Deeper JSON inside JSON is read as text. */
const DEEPEST = 4;
/** Opened by anything but SQLite, their locks would be lost. One holds no text, the other is deleted by every purge. */
const LEFT_OUT = /^(lock|purge-lock|index)\.sqlite/;
/** Ways to write an ASCII letter without its own byte. */
const DISGUISED = /\\u00[2-7]|[\uff01-\uff5e\ufb00-\ufb06]|\ud835/;
/** The same as their bytes begin. */
const DISGUISED_BYTES = /\\u00[2-7]|\u00ef[\u00bc\u00bd\u00ac]|\u00f0\u009d/;

/** Looks for texts in every file below these folders, whatever its name, by its decoded text and not by marks. */
export async function searchAgain(
  root: string,
  needles: Needle[],
  more: string[],
  signal?: AbortSignal,
): Promise<SecondSearch> {
  const found: SecondSearch = { files: [], looked: { files: 0, bytes: 0 } };
  if (needles.length === 0) return found;
  for (const folder of [root, ...more]) {
    for await (const path of everyFile(folder, folder === root)) {
      signal?.throwIfAborted();
      try {
        const matched = new Set<Needle>();
        find(path.slice(folder.length), needles, matched);
        found.looked.bytes += await readPieces(path, (bytes) => findInBytes(bytes, needles, matched));
        found.looked.files++;
        const what = (['text', 'line', 'beginning'] as const).find((it) =>
          [...matched].some((needle) => needle.what === it),
        );
        if (what) found.files.push({ path, what, matches: matched.size });
      } catch (error) {
        throw diskFault(error, path, 'read');
      }
    }
  }
  return found;
}

async function* everyFile(path: string, isRoot: boolean): AsyncGenerator<string> {
  const entry = await ifThere(lstat(path));
  if (entry?.isFile()) yield path;
  if (!entry?.isDirectory()) return;
  for (const name of (await ifThere(readdir(path))) ?? [])
    if (!(isRoot && LEFT_OUT.test(name))) yield* everyFile(join(path, name), false);
}

/** A file in pieces of whole lines; packed ones whole. Gives its bytes. */
async function readPieces(path: string, see: (bytes: Buffer) => void): Promise<number> {
  const file = await ifThere(open(path, 'r'));
  if (!file) return 0;
  try {
    const { size } = await file.stat();
    let rest = Buffer.alloc(0);
    for (let at = 0; at < size; at += PIECE) {
      const bytes = await readFully(file, Buffer.allocUnsafe(Math.min(PIECE, size - at)), at);
      if (at === 0 && bytes[0] === 0x1f && bytes[1] === 0x8b) {
        see(unpacked(await readFile(path)));
        return size;
      }
      const isLast = at + PIECE >= size;
      const end = isLast ? bytes.length : bytes.lastIndexOf(10) + 1;
      see(Buffer.concat([rest, bytes.subarray(0, end)]));
      rest = Buffer.concat([end === 0 ? rest : Buffer.alloc(0), bytes.subarray(end)]);
    }
    if (rest.length > 0) see(rest);
    return size;
  } finally {
    await file.close();
  }
}

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes;
  }
}

function findInBytes(bytes: Buffer, needles: Needle[], matched: Set<Needle>): void {
  const quick = bytes.toString('latin1').toLowerCase();
  const open = needles.filter((needle) => !matched.has(needle));
  const isDisguised = DISGUISED_BYTES.test(quick);
  const likely = isDisguised ? open : open.filter(({ word }) => quick.includes(word));
  if (likely.length === 0) return;
  const text = bytes.toString('utf8');
  find(text, likely, matched);
  for (const line of text.split('\n')) {
    if (!line.includes('\\') && !line.includes('"')) continue;
    const lower = line.toLowerCase();
    const wanted = DISGUISED.test(line) ? likely : likely.filter(({ word }) => lower.includes(word));
    if (wanted.length > 0) for (const part of decoded(line, 0)) find(part, wanted, matched);
  }
}

function find(text: string, needles: Needle[], matched: Set<Needle>): void {
  const folded = foldText(text);
  for (const needle of needles) if (folded.includes(needle.folded)) matched.add(needle);
}

/** Every string in a line of JSON, and in JSON that is in one of them. */
function* decoded(line: string, depth: number): Generator<string> {
  const start = line.search(/[{["]/);
  const value = start === -1 ? undefined : parseOutside(line.slice(start).replace(/,\s*$/, ''));
  if (value !== undefined) yield* strings(value, depth);
  // Of a line of pretty JSON, `"key": "value",`, the values.
  else for (const [json] of line.matchAll(/"(?:[^"\\]|\\.)*"/g)) yield* strings(parseOutside(json), depth);
}

function* strings(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') {
    yield value;
    if (depth < DEEPEST && value.includes('"'))
      for (const line of value.split('\n')) yield* decoded(line, depth + 1);
  } else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* strings(item, depth);
    }
}
