import { readFile } from 'node:fs/promises';
import type { Manifest } from '../../core/model/manifest.ts';
import { sha256 } from '../../core/model/sha256.ts';
import { ifThere } from './disk-fault.ts';
import type { LogLine } from './manifest-log.ts';
import { writeFileAtomic } from './write-file.ts';

const LISTS = ['links', 'overlays', 'factEdits', 'conceptEdits', 'fieldEdits'] as const;
type Lists = Pick<Manifest, (typeof LISTS)[number]>;

/** Data that only the manifest has, up to a generation: made by hand, and not derivable from originals. */
export type ManifestEdits = {
  gen: number;
  lists: Partial<Lists>;
  compositions: Manifest['compositions'];
  /** What the user calls sessions. */
  names: Record<string, string>;
};

function editsOf(manifest: Manifest): ManifestEdits {
  const names: Record<string, string> = Object.create(null);
  for (const [id, { name }] of Object.entries(manifest.sessions ?? {}))
    if (name !== undefined) names[id] = name;
  const lists: Partial<Lists> = {};
  for (const list of LISTS)
    if ((manifest[list]?.length ?? 0) > 0) Object.assign(lists, { [list]: manifest[list] });
  return { gen: manifest.gen, lists, compositions: manifest.compositions ?? {}, names };
}

/** Beside the manifests, for when both are lost. Left alone where it says the same already. */
export async function keepEdits(path: string, manifest: Manifest): Promise<void> {
  const edits = editsOf(manifest);
  const before = await readEdits(path);
  const content = ({ gen, ...rest }: ManifestEdits) => JSON.stringify(rest);
  if (content(edits) === (before ? content(before) : NO_EDITS)) return;
  const body = JSON.stringify(edits);
  await writeFileAtomic(path, `{"sum":"${sha256(Buffer.from(body))}","edits":${body}}\n`);
}

const NO_EDITS = JSON.stringify({ lists: {}, compositions: {}, names: {} });

/** Undefined if it is not there or not as we wrote it. */
export async function readEdits(path: string): Promise<ManifestEdits | undefined> {
  const text = (await ifThere(readFile(path, 'utf8'))) ?? '';
  const found = /^\{"sum":"([0-9a-f]{64})","edits":(.*)\}\n$/s.exec(text);
  if (!found || sha256(Buffer.from(found[2]!)) !== found[1]) return undefined;
  return JSON.parse(found[2]!) as ManifestEdits;
}

/** Lines whose changes the edits have in them already, without those. */
export function withoutEdits(lines: LogLine[], edits: ManifestEdits | undefined): LogLine[] {
  const places = new Set<string | undefined>([...LISTS, 'compositions']);
  return lines.map((line) =>
    edits && line.gen <= edits.gen
      ? { ...line, changes: line.changes.filter(({ at }) => !places.has(at[0])) }
      : line,
  );
}
