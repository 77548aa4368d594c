import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { clockOf } from '../../src/adapters/archive-fs/edit-clock.ts';
import { applyChanges, type Change, purgedSince } from '../../src/core/model/change.ts';
import { Fault } from '../../src/core/model/fault.ts';
import { foldText } from '../../src/core/model/folded-text.ts';
import type { HistoryEvent } from '../../src/core/model/history.ts';
import { isSessionId, type ProjectId, toProjectId } from '../../src/core/model/ids.ts';
import type { Manifest } from '../../src/core/model/manifest.ts';
import { PurgeMask } from '../../src/core/model/purge-mask.ts';
import { nothingUnrecorded } from '../../src/core/model/unrecorded.ts';
import type { Absorbed, Archive, MemoryPlace, MemoryPlaces } from '../../src/ports/archive.ts';

const MIB = 1 << 20;
type Kept = { manifest: Manifest; history: HistoryEvent[] };

/** Keeps everything in memory, for tests of what stands on an archive. Sources are real files unless `sources` has them. */
export function memoryArchive(
  sources: Map<string, Buffer> = new Map(),
  now = () => '2026-01-01T00:00:00.000Z',
) {
  const projects = new Map<string, Kept>();
  const blobs = new Map<string, Buffer>();
  const placed = new Map<string, string>();
  let device: string | undefined;
  let unrecorded = nothingUnrecorded();

  const derived = (project: ProjectId | undefined, name: string) => {
    if (project !== undefined && /^(manifest\.|history\.jsonl$|originals|place\.json$)/.test(name))
      throw badName(name);
    if (project === undefined) return `cache/${checked(name)}`;
    const folder = placed.get(toProjectId(project));
    if (folder !== undefined && checked(name).startsWith('memory/'))
      return `${folder}/.claude/${checked(name)}`;
    return `projects/${toProjectId(project)}/${checked(name)}`;
  };
  const original = (project: ProjectId, name: string) => {
    const [first = '', ...rest] = checked(name).split('/');
    if (!isSessionId(rest.length > 0 ? first : first.replace(/\.jsonl$/, ''))) throw badName(name);
    return `projects/${toProjectId(project)}/originals/${name}`;
  };
  const below = (folder: string) =>
    [...blobs.keys()]
      .filter((key) => key.startsWith(`${folder}/`))
      .map((key) => key.slice(folder.length + 1))
      .sort();
  const load = async (path: string) => {
    const bytes = sources.get(path) ?? (await readFile(path).catch(() => undefined));
    if (!bytes) throw new Fault('not-found', `${path} is not there.`);
    return bytes;
  };

  const archive: Archive = {
    root: 'memory:',
    device: async (fresh) => (device ??= fresh()),
    projects: async () => [...projects.keys()].sort().map(toProjectId),
    stamps: async () =>
      new Map([...projects].map(([id, { manifest }]) => [toProjectId(id), `${manifest.gen}`])),
    listStamp: async () => [...projects.keys()].sort().join(' '),
    async head(project) {
      const kept = projects.get(toProjectId(project))?.manifest;
      if (!kept) return undefined;
      const { originalPath, displayName, gen, settings, repository } = kept;
      const head = { projectId: project, originalPath, displayName, gen, settings, clock: clockOf(kept) };
      return repository ? { ...head, repository: throughJson(repository) } : head;
    },
    async open(project) {
      const kept = projects.get(toProjectId(project));
      return kept && { manifest: throughJson(kept.manifest), notes: [] };
    },
    async mayHold(project, texts) {
      const kept = projects.get(toProjectId(project));
      return texts.map((text) => !kept || JSON.stringify(kept.manifest).includes(text));
    },
    async change(project, changes: Change[], events = []) {
      const kept = projects.get(toProjectId(project));
      // Through JSON, as a file would: what the caller does with its objects later must not matter.
      const manifest = applyChanges(kept?.manifest ?? ({ gen: 0 } as Manifest), throughJson(changes));
      if (!manifest.projectId) throw new Fault('not-found', `There is no project ${project}.`);
      const gen = manifest.gen + 1;
      const purged = purgedSince(kept?.manifest, changes);
      const made = events.filter(({ sessionId = '' }) => !purged.has(sessionId));
      const history = [...(kept?.history ?? []), ...throughJson(made)];
      projects.set(project, { manifest: { ...manifest, gen, lastModified: now() }, history });
      return events.length > 0 && purged.size > 0 ? { gen, purged: [...purged] } : { gen };
    },
    unrecorded: {
      read: async () => throughJson(unrecorded),
      change: async (work) => {
        unrecorded = throughJson(work(throughJson(unrecorded)));
      },
    },
    fold: async () => {},
    history: async (project) => [...(projects.get(toProjectId(project))?.history ?? [])],
    async removeProject(project) {
      projects.delete(toProjectId(project));
      for (const name of below(`projects/${project}`)) blobs.delete(`projects/${project}/${name}`);
      const root = placed.get(project);
      for (const name of root === undefined ? [] : below(`${root}/.claude/memory`))
        blobs.delete(`${root}/.claude/memory/${name}`);
      placed.delete(project);
    },
    places: fakePlaces(blobs, placed),
    wipe: async (texts, { overwrite, only, onLooked }) => {
      const mask = new PurgeMask(texts);
      const files = [...blobs]
        .filter(([path]) => !only || only.some((top) => path.startsWith(top)))
        .map(([path, bytes]) => ({ path, found: mask.find(bytes, path.includes('.json')), bytes }))
        .filter(({ found }) => found.length > 0);
      if (overwrite) for (const { path, bytes } of files) mask.apply(bytes, path.includes('.json'));
      const looked = { files: blobs.size, bytes: 0 };
      onLooked?.({ done: 1, total: 1 });
      return {
        files: files.map(({ path, found }) => ({ path, matches: found.length, first: found[0]?.start ?? 0 })),
        looked,
      };
    },
    withoutPurged: async (text) => text,
    lookAgain: async (needles) => {
      const files = [...blobs].flatMap(([path, bytes]) => {
        const folded = foldText(`${path} ${bytes.toString('utf8')}`);
        const found = needles.filter((needle) => folded.includes(needle.folded));
        return found.length > 0 ? [{ path, what: found[0]!.what, matches: found.length }] : [];
      });
      return { files, looked: { files: blobs.size, bytes: 0 } };
    },
    sweep: async () => [],
    inspect: async () => [],
    async changeFrom(project, make, events) {
      const opened = await this.open(project);
      const changes = opened ? make(opened.manifest) : [];
      if (changes.length > 0) await this.change(project, changes, events?.());
    },
    exclusive: (work) => work(),
    purging: (work) => work(),
    close: async () => {},
    files: {
      path: derived,
      read: async (project, name) => blobs.get(derived(project, name)),
      readAt: async (project, name, at, bytes) =>
        blobs.get(derived(project, name))?.subarray(at, at + bytes) ?? Buffer.alloc(0),
      size: async (project, name) => blobs.get(derived(project, name))?.length ?? 0,
      async write(project, name, bytes) {
        blobs.set(derived(project, name), Buffer.from(bytes as Uint8Array));
      },
      async create(project, name, bytes) {
        if (blobs.has(derived(project, name))) return false;
        blobs.set(derived(project, name), Buffer.from(bytes as Uint8Array));
        return true;
      },
      async writeAt(project, name, at, bytes) {
        const old = blobs.get(derived(project, name)) ?? Buffer.alloc(0);
        if (at > old.length) throw new Fault('conflict', `${name} is shorter than expected.`);
        const added = Buffer.from(bytes as Uint8Array);
        blobs.set(
          derived(project, name),
          Buffer.concat([old.subarray(0, at), added, old.subarray(at + added.length)]),
        );
      },
      list: async (project, folder) => below(derived(project, folder)),
      async remove(project, name) {
        blobs.delete(derived(project, name));
      },
    },
    originals: {
      path: original,
      async absorb(project, name, { path: source }) {
        const key = original(project, name);
        const { bytes, ...absorbed } = takeIn(blobs.get(key), await load(source));
        blobs.set(key, bytes);
        return absorbed;
      },
      async extend(project, name, from, bytes) {
        const before = blobs.get(original(project, name)) ?? Buffer.alloc(0);
        if (before.length !== from) return false;
        blobs.set(original(project, name), Buffer.concat([before, bytes]));
        return true;
      },
      size: async (project, name) => blobs.get(original(project, name))?.length,
      list: async (project, session) => {
        const names = below(`projects/${toProjectId(project)}/originals`);
        return session === undefined ? names : names.filter((name) => name.startsWith(`${session}/`));
      },
      async hash(project, name, _known, first) {
        const bytes = blobs.get(original(project, name))?.subarray(0, first);
        if (!bytes) throw new Fault('not-found', `${name} is not there.`);
        const hashes: string[] = [];
        for (let at = 0; at < bytes.length; at += MIB) hashes.push(sha256(bytes.subarray(at, at + MIB)));
        return { hash: sha256(hashes.join('')), blocks: hashes.slice(0, Math.floor(bytes.length / MIB)) };
      },
      async remove(project, name) {
        blobs.delete(original(project, name));
      },
    },
  };
  return { archive, blobs, sources };
}

/** Moves blobs from one name to another; a folder that is not ours needs its hash, as everywhere. */
function fakePlaces(blobs: Map<string, Buffer>, placed: Map<string, string>): MemoryPlaces {
  const inside = (folder: string) => [...blobs.keys()].filter((key) => key.startsWith(`${folder}/`)).sort();
  const own = (project: ProjectId) => `projects/${toProjectId(project)}/memory`;
  const where = (project: ProjectId): MemoryPlace => {
    const root = placed.get(project);
    if (root === undefined) return { kind: 'archive', folder: own(project) };
    return { kind: 'project', folder: `${root}/.claude/memory`, asked: root };
  };
  const move = (project: ProjectId, from: string, to: string) => {
    let bytes = 0;
    const names = inside(from);
    for (const name of names) {
      bytes += blobs.get(name)!.length;
      const target = to + name.slice(from.length);
      if (!blobs.has(target)) blobs.set(target, blobs.get(name)!);
      blobs.delete(name);
    }
    return { place: where(project), moved: names.length, bytes, aside: [] };
  };
  const look = async (project: ProjectId, root: string) => {
    const folder = `${root}/.claude/memory`;
    const files = inside(folder);
    const hash = files.length === 0 ? '' : sha256(files.map((name) => `${name}${blobs.get(name)}`).join());
    return {
      folder,
      files: files.map((name) => name.slice(folder.length + 1)),
      hash,
      ours: placed.get(project) === root,
    };
  };
  return {
    where,
    inspect: look,
    async enter(project, root, approved) {
      const { hash, ours, folder } = await look(project, root);
      if (hash !== '' && !ours && approved !== hash) throw new Fault('conflict', `${folder} is not ours.`);
      placed.set(project, root);
      return move(project, own(project), folder);
    },
    async leave(project) {
      const root = placed.get(project);
      if (root === undefined) throw new Fault('not-found', 'It is in the archive already.');
      placed.delete(project);
      return move(project, `${root}/.claude/memory`, own(project));
    },
  };
}

function takeIn(copy: Buffer | undefined, source: Buffer): Absorbed & { bytes: Buffer } {
  const before = copy?.length ?? 0;
  if (!copy) return { status: 'new', before, after: source.length, bytes: source };
  if (source.equals(copy)) return { status: 'same', before, after: before, bytes: copy };
  if (source.subarray(0, before).equals(copy))
    return { status: 'grown', before, after: source.length, bytes: source };
  const known = new Set(lines(copy).map(keyOf));
  const added = lines(source).filter((line) => !known.has(keyOf(line)) && keyOf(line) !== undefined);
  if (added.length === 0) return { status: 'same', before, after: before, truncated: true, bytes: copy };
  const start = String(copy).endsWith('\n') ? '' : '\n';
  const bytes = Buffer.concat([copy, Buffer.from(`${start}${added.map((line) => line.text).join('\n')}\n`)]);
  return { status: 'replaced', before, after: bytes.length, bytes };
}

type Line = { text: string; last: boolean };

function lines(bytes: Buffer): Line[] {
  const all = String(bytes).split('\n');
  return all.map((text, place) => ({ text, last: place === all.length - 1 }));
}

function keyOf({ text, last }: Line): string | undefined {
  try {
    const uuid = JSON.parse(text)?.uuid;
    return typeof uuid === 'string' ? `uuid ${uuid}` : text;
  } catch {
    return last || text.trim() === '' ? undefined : text;
  }
}

function checked(name: string): string {
  const bad = (part: string) => part === '' || part === '.' || part === '..' || part.length > 240;
  if (/[\0\\]/.test(name) || name.split('/').some(bad)) throw badName(name);
  return name;
}

function badName(name: string): Fault {
  return new Fault('usage', `${JSON.stringify(name)} can't be the name of a file in the archive.`);
}

function throughJson<T>(value: T): T {
  const copy = JSON.parse(JSON.stringify(value)) as T & { sessions?: object };
  if (copy.sessions) copy.sessions = Object.assign(Object.create(null), copy.sessions);
  return copy;
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
