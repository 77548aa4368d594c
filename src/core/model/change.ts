import type { RepositoryNote } from './repository.ts';

/** Kept apart from the schemas: writing a change must not load zod. */
export const MANIFEST_VERSION = '1.0.0';

/**
 * One change to a manifest, applied to whatever is there by then. `at` is the way to the place.
 * `merge` sets fields and leaves the others; `init` sets only those that are not there yet.
 */
export type Change = {
  at: string[];
  put?: unknown;
  merge?: Record<string, unknown>;
  init?: Record<string, unknown>;
  append?: unknown;
  /** With `append`: left out when an element with the same value in this field is there already. */
  unique?: string;
  /** Takes the elements out of a list whose fields all have these values. */
  without?: Record<string, string | number>;
  drop?: true;
  /** Left out when more tombstones of this session exist by then than its maker knew of: it was purged meanwhile. */
  unless?: { purged: string; beyond: number };
};

export type NewProject = {
  projectId: string;
  originalPath: string;
  displayName: string;
  createdAt: string;
  gitRemote?: string;
  repository?: RepositoryNote;
  sample?: boolean;
};

/** Makes the project if there is none; harmless if there is one already. */
export function newProjectChange(project: NewProject): Change {
  return { at: [], init: { version: MANIFEST_VERSION, authored: true, ...project, ...emptyRecords() } };
}

export function emptyRecords() {
  return { sessions: {}, compositions: {}, settings: {}, overlays: [], parts: {}, links: [], tombstones: [] };
}

type Branch = { [key: string]: unknown };

/** Pure: gives a new manifest, shares what did not change. Unknown places are made on the way. */
export function applyChange<M extends object>(manifest: M, change: Change): M {
  return applyChanges(manifest, [change]);
}

/** The same as one `applyChange` after the other, but each place is copied once and not once a change. */
export function applyChanges<M extends object>(manifest: M, changes: Iterable<Change>): M {
  const fresh = new WeakSet<object>();
  let node: unknown = manifest;
  for (const change of changes) {
    const { unless } = change;
    if (unless && purgesOf(node, unless.purged) > unless.beyond) continue;
    node = applyAt(node, change.at, change, fresh);
  }
  return node as M;
}

/** Sessions whose guarded changes are left out of a manifest. */
export function purgedSince(manifest: unknown, changes: readonly Change[]): Set<string> {
  const guards = changes.flatMap(({ unless }) => unless ?? []);
  return new Set(guards.filter((it) => purgesOf(manifest, it.purged) > it.beyond).map((it) => it.purged));
}

/** How often a session was purged from a manifest. */
export function purgesOf(manifest: unknown, session: string): number {
  const tombstones = isBranch(manifest) ? manifest.tombstones : undefined;
  if (!Array.isArray(tombstones)) return 0;
  return tombstones.filter((tombstone) => tombstone?.kind === 'session' && tombstone.id === session).length;
}

/** `fresh` holds the copies made in this run, which nobody else has seen: those may be written to. */
function applyAt(node: unknown, at: string[], change: Change, fresh: WeakSet<object>): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return applyHere(node, change, fresh);
  const copy = freshBranch(node, fresh);
  if (rest.length === 0 && change.drop) {
    delete copy[key];
    return copy;
  }
  const below = applyAt(copy[key], rest, change, fresh);
  if (below !== undefined) copy[key] = below;
  return copy;
}

function applyHere(node: unknown, change: Change, fresh: WeakSet<object>): unknown {
  if (change.put !== undefined) return change.put;
  if (change.append !== undefined) {
    const { append, unique } = change;
    const list = Array.isArray(node) && fresh.has(node) ? node : [...(Array.isArray(node) ? node : [])];
    if (unique !== undefined && list.some((it) => isSame(it, append, unique))) return node;
    list.push(append);
    fresh.add(list);
    return list;
  }
  const { without } = change;
  if (without) {
    if (!Array.isArray(node)) return node;
    return node.filter((it) => !Object.keys(without).every((field) => isSame(it, without, field)));
  }
  const branch = Object.assign(Object.create(null), change.init, isBranch(node) ? node : {}, change.merge);
  fresh.add(branch);
  return branch;
}

function freshBranch(node: unknown, fresh: WeakSet<object>): Branch {
  if (isBranch(node) && fresh.has(node)) return node;
  const copy: Branch = Object.assign(Object.create(null), isBranch(node) ? node : undefined);
  fresh.add(copy);
  return copy;
}

function isBranch(node: unknown): node is Branch {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function isSame(a: unknown, b: unknown, field: string): boolean {
  return isBranch(a) && isBranch(b) && Object.hasOwn(a, field) && a[field] === b[field];
}
