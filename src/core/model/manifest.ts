import { z } from 'zod';
import { sessionRecordSchema } from './session.ts';

export const MANIFEST_VERSION = '1.0.0';

export const tombstoneSchema = z.object({
  kind: z.enum(['session']),
  id: z.string(),
  at: z.string(),
});

/** Everything the archive knows of one project. `gen` grows by one with every change, logged or folded. */
export const manifestSchema = z.object({
  version: z.string(),
  gen: z.number().int().nonnegative(),
  projectId: z.string(),
  originalPath: z.string(),
  displayName: z.string(),
  createdAt: z.string(),
  lastModified: z.string(),
  gitRemote: z.string().optional(),
  /** The built-in example, not the user's own work. */
  sample: z.boolean().optional(),
  sessions: z.record(z.string(), sessionRecordSchema),
  compositions: z.record(z.string(), z.record(z.string(), z.unknown())),
  /** Only what the project sets itself; the rest comes from config.json and the defaults. */
  settings: z.record(z.string(), z.unknown()),
  overlays: z.array(z.record(z.string(), z.unknown())),
  parts: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  links: z.array(z.record(z.string(), z.unknown())),
  tombstones: z.array(tombstoneSchema),
});
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * One change to a manifest, applied to whatever stands there by then. `at` is the way to the place.
 * `merge` sets fields and leaves the others; `init` sets only those that are not there yet.
 */
export type Change = {
  at: string[];
  put?: unknown;
  merge?: Record<string, unknown>;
  init?: Record<string, unknown>;
  append?: unknown;
  drop?: true;
};

type Branch = { [key: string]: unknown };

/** Pure: gives a new manifest, shares what did not change. Unknown places are made on the way. */
export function applyChange<M extends object>(manifest: M, change: Change): M {
  return applyAt(manifest as Branch, change.at, change) as M;
}

function applyAt(node: unknown, at: string[], change: Change): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return applyHere(node, change);
  const copy: Branch = Object.assign(Object.create(null), isBranch(node) ? node : undefined);
  if (rest.length === 0 && change.drop) {
    delete copy[key];
    return copy;
  }
  const below = applyAt(copy[key], rest, change);
  if (below !== undefined) copy[key] = below;
  return copy;
}

function applyHere(node: unknown, change: Change): unknown {
  if (change.put !== undefined) return change.put;
  if (change.append !== undefined) return [...(Array.isArray(node) ? node : []), change.append];
  const branch = isBranch(node) ? node : {};
  return Object.assign(Object.create(null), change.init, branch, change.merge);
}

function isBranch(node: unknown): node is Branch {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}
