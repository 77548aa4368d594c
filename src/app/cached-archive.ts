import type { ProjectId } from '../core/model/ids.ts';
import type { Archive, Opened } from '../ports/archive.ts';

type CachedProject = { stamp: string; opened: Promise<Opened | undefined> };

/** Projects whose manifests stay in memory. */
const MOST = 64;

/**
 * The archive for a long-running process: a manifest is read again only if the size or time of its files changed, so that
 * writes of other processes are seen at once. Returned objects are frozen, since they are shared.
 */
export function cachedArchive(archive: Archive): Archive {
  const manifests = new Map<ProjectId, CachedProject>();
  let looked: ReturnType<Archive['stamps']> | undefined;

  /** One check for all that ask in the same moment. */
  function stamps(): ReturnType<Archive['stamps']> {
    if (looked) return looked;
    const now = archive.stamps();
    looked = now;
    // biome-ignore lint/style/noRestrictedGlobals: a moment ends when the loop turns, whatever the clock says
    setImmediate(() => {
      if (looked === now) looked = undefined;
    });
    return now;
  }

  async function open(project: ProjectId): Promise<Opened | undefined> {
    const stamp = (await stamps()).get(project) ?? '';
    if (stamp === '') return archive.open(project);
    const known = manifests.get(project);
    if (known?.stamp === stamp) return known.opened;
    const before = await known?.opened.catch(() => undefined);
    if (manifests.get(project) !== known) return open(project);
    const opened = archive.open(project, before).then(frozen);
    manifests.delete(project);
    manifests.set(project, { stamp, opened });
    for (const old of manifests.keys()) {
      if (manifests.size <= MOST) break;
      manifests.delete(old);
    }
    const forget = () => {
      if (manifests.get(project)?.opened === opened) manifests.delete(project);
    };
    // What was mended on the way is reported each time, until it is mended for good.
    void opened.then((it) => (it === undefined || it.rebuilt || it.notes.length > 0) && forget(), forget);
    return opened;
  }

  /** What was seen before a write says nothing about the time after it. */
  async function written<T>(work: Promise<T>): Promise<T> {
    looked = undefined;
    try {
      return await work;
    } finally {
      looked = undefined;
    }
  }

  return {
    ...archive,
    open,
    // What is in memory is looked at sooner than files.
    mayHold: async (project, texts) =>
      manifests.has(project) ? texts.map(() => true) : archive.mayHold(project, texts),
    change: (project, changes, events) => written(archive.change(project, changes, events)),
    changeFrom: (project, make, events) => written(archive.changeFrom(project, make, events)),
    fold: (project, options) => written(archive.fold(project, options)),
    removeProject: (project) => written(archive.removeProject(project)),
    exclusive: (work) => written(archive.exclusive(work)),
  };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}
