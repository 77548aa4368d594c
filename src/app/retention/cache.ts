import type { World } from '../world.ts';

const UNITS: Record<string, number> = { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const DAY_MS = 86_400_000;
const MARK = 'size.json';
/** Positions of readings and sources of layers: the bulk of the cache, rebuilt on demand. */
const FOLDERS = ['ingest', 'layers'];
/** Below the limit by this much afterwards, so that it is not at it again the next day. */
const SHARE = 0.8;

export type Trimmed = { bytes: number; removed: number };

/** `500MB`, `1 GB` as bytes. */
export function bytesOfSize(text: string): number {
  const [, figure, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]?)B$/i.exec(text) ?? [];
  return figure === undefined ? Number.POSITIVE_INFINITY : Number(figure) * (UNITS[unit.toUpperCase()] ?? 1);
}

/** Once a day, deletes the oldest files of the cache until it is small enough. All of them can be rebuilt. */
export async function trimCache(world: World, maxSize: string): Promise<Trimmed | undefined> {
  if (await lookedToday(world)) return undefined;
  const found = await cacheFiles(world);
  let bytes = found.reduce((sum, { size }) => sum + size, 0);
  const limit = bytesOfSize(maxSize);
  let removed = 0;
  if (bytes > limit) {
    found.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
    for (const { name, size } of found) {
      if (bytes <= limit * SHARE) break;
      await world.archive.files.remove(undefined, name);
      bytes -= size;
      removed++;
    }
  }
  const at = world.clock.now();
  await world.archive.files.write(undefined, MARK, `${JSON.stringify({ at, bytes })}\n`);
  return { bytes, removed };
}

async function lookedToday(world: World): Promise<boolean> {
  const text = (await world.archive.files.read(undefined, MARK))?.toString('utf8') ?? '';
  const [, at = ''] = /"at":"([^"]+)"/.exec(text) ?? [];
  const age = world.clock.millis() - Date.parse(at);
  return age >= 0 && age < DAY_MS;
}

async function cacheFiles(world: World): Promise<{ name: string; size: number; mtimeMs: number }[]> {
  const { files } = world.archive;
  const found: { name: string; size: number; mtimeMs: number }[] = [];
  for (const folder of FOLDERS) {
    for (const below of await files.list(undefined, folder)) {
      const name = `${folder}/${below}`;
      const file = await world.transcripts.inspect(files.path(undefined, name));
      if (file && file !== 'folder') found.push({ name, size: file.size, mtimeMs: file.mtimeMs });
    }
  }
  return found;
}
