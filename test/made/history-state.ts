import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRemote, readRemote } from '../../src/app/segment/remote-record.ts';
import { isLight } from '../../src/app/segment/talk-file.ts';
import { openSegment } from '../../src/core/remote/open-segment.ts';
import { parseSegmentName } from '../../src/core/remote/segment-name.ts';
import type { SimDevice } from './sim-device.ts';

/** `talk`: of a session whose original is not everywhere only how many streams it has. */
export type Depth = 'originals' | 'talk';

/** What one machine knows and the first does not, or the other way. */
export async function differencesOf(
  [first, ...others]: SimDevice[],
  privates: ReadonlySet<string>,
  depth: Depth,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const other of others) {
    const light =
      depth === 'talk' ? new Set([...(await lightOf(first!)), ...(await lightOf(other))]) : undefined;
    const here = await knownOf(first!, privates, light);
    const there = await knownOf(other, privates, light);
    const only = (a: Map<string, string>, b: Map<string, string>) =>
      [...a].flatMap(([key, what]) => (b.has(key) ? [] : [what]));
    const [mine, theirs] = [only(here, there), only(there, here)];
    if (mine.length + theirs.length > 0)
      wrong.push(`${depth}: only on ${first!.name}: [${mine}], only on ${other.name}: [${theirs}]`);
  }
  return wrong;
}

/** What the machine knows, whatever it is called and wherever it is there; by a key that is the same everywhere. */
export async function knownOf(
  device: SimDevice,
  privates: ReadonlySet<string>,
  light: ReadonlySet<string> = new Set(),
): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  for (const { projectId, ...manifest } of await device.manifests()) {
    for (const id of Object.keys(manifest.sessions)) {
      const base = baseOf(id);
      if (privates.has(base)) continue;
      const original = device.original(projectId, id);
      let key = `s ${base} ${light.has(base) ? 1 : hash(original)}`;
      for (let n = 2; light.has(base) && known.has(key); n++) key = `s ${base} ${n}`;
      known.set(key, `${id} of ${original.length} bytes`);
    }
    for (const edit of [...(manifest.factEdits ?? []), ...(manifest.fieldEdits ?? [])]) {
      const isName = 'field' in edit && edit.field === 'session';
      if (!(isName && privates.has(edit.key)))
        known.set(`e ${edit.editId}`, isName ? `name ${edit.key}=${edit.value}` : `fact ${edit.editId}`);
    }
    for (const { kind, id } of manifest.tombstones)
      if (!privates.has(baseOf(id))) known.set(`t ${kind} ${id}`, `purge of ${kind} ${id}`);
  }
  return known;
}

/** Sessions of which only the talk came. */
async function lightOf(device: SimDevice): Promise<string[]> {
  return (await device.manifests()).flatMap(({ sessions }) =>
    Object.values(sessions).flatMap((row) => (isLight(row) ? [baseOf(row.sessionId)] : [])),
  );
}

/** Places where a purged text is: every file of an archive, every line of the store. Of a dead machine's purge nothing is promised. */
export async function purgedLeft(living: SimDevice[], gone: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const device of living)
    for (const entry of readdirSync(join(device.root, 'archive'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, 'latin1');
      for (const word of gone)
        if (text.includes(word))
          found.push(`${word} is left in ${path.slice(device.root.length - device.name.length)}`);
    }
  return [...found, ...(await leftInStore(living, gone))];
}

/** Places of texts in the lines of the store. */
export async function leftInStore([first]: SimDevice[], gone: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const { world } = first!;
  const remote = await openRemote(world, await readRemote(world, 'home'));
  for (const { name } of await remote.store.list('r/')) {
    const bytes = (await remote.store.get(name)) ?? Buffer.alloc(0);
    const opened = openSegment(parseSegmentName(name)!, bytes, remote);
    const text = opened.state === 'read' ? opened.lines.join('\n') : '';
    for (const word of gone) if (text.includes(word)) found.push(`${word} is left in the store: ${name}`);
  }
  return found;
}

function baseOf(session: string): string {
  return session.replace(/@[0-9a-f]{8}$/, '');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
