import type { ComposedContextRecord } from '../../core/model/composition.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { sha256 } from '../../core/model/sha256.ts';
import { anything, record } from '../../core/model/shape.ts';
import { orFault } from '../or-fault.ts';
import type { StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** The files of a composition, by how their names end; those that its format leaves out are not there. */
export type ComposedFiles = { md?: string; jsonl?: string; json: string };

const ENDINGS = ['md', 'jsonl', 'json'] as const;
type Ending = (typeof ENDINGS)[number];
const FINAL = { md: 'composed.md', jsonl: 'composed.jsonl', json: 'composition.json' } as const;

/** `composition.json`: the record, and how its text was put together. */
export const COMPOSITION: StoredKind<Record<string, unknown>> = {
  schema: record(anything),
  damaged: 'Keepsake uses the record in the manifest instead.',
  derived: true,
};

function fileOf(name: string, file: string): string {
  return `composed/${name}/${file}`;
}

function waitingOf({ name, compositionId }: ComposedContextRecord, ending: Ending): string {
  return fileOf(name, `${compositionId}.${ending}`);
}

/** Written aside, under its own id: until its record is written, the one before it is whole. */
export async function stageComposed(
  world: World,
  project: ProjectId,
  record: ComposedContextRecord,
  files: ComposedFiles,
): Promise<void> {
  for (const ending of ENDINGS) {
    const text = files[ending];
    if (text !== undefined) await world.archive.files.write(project, waitingOf(record, ending), text);
  }
}

/** Takes back what was staged. */
export async function unstageComposed(
  world: World,
  project: ProjectId,
  record: ComposedContextRecord,
): Promise<void> {
  for (const ending of ENDINGS) await world.archive.files.remove(project, waitingOf(record, ending));
}

/**
 * Gives the staged files their names, if the record is still there: of two made at once only the one that is. `others`
 * are names that were in its place and that some file systems take for the same.
 */
export async function settleComposed(
  world: World,
  project: ProjectId,
  record: ComposedContextRecord,
  { texts, others = [] }: { texts: ComposedFiles; others?: readonly string[] },
): Promise<void> {
  const { files } = world.archive;
  await world.archive.exclusive(async () => {
    const { manifest } = (await world.archive.open(project)) ?? {};
    if (manifest?.compositions[record.name]?.compositionId !== record.compositionId) return;
    for (const name of others)
      for (const ending of ENDINGS) await files.remove(project, fileOf(name, FINAL[ending]));
    for (const ending of ENDINGS) {
      const text = texts[ending];
      const file = fileOf(record.name, FINAL[ending]);
      if (text !== undefined) await files.write(project, file, text);
      else await files.remove(project, file);
    }
    const final: string[] = Object.values(FINAL);
    // Files left by killed writers; a running writer still has its text in memory.
    for (const file of await files.list(project, `composed/${record.name}`))
      if (!final.includes(file)) await files.remove(project, fileOf(record.name, file));
  });
  await unstageComposed(world, project, record);
}

/** The text that its record names. One that was cut off before its files had their names is finished first. */
export async function readComposed(
  world: World,
  project: ProjectId,
  record: ComposedContextRecord,
  ending: 'md' | 'jsonl',
): Promise<Buffer | undefined> {
  const { files } = world.archive;
  const hash = ending === 'md' ? record.markdownHash : record.jsonlHash;
  const bytes = await files.read(project, fileOf(record.name, FINAL[ending]));
  if (hash === undefined || (bytes && sha256(bytes) === hash)) return bytes;
  const waiting = await files.read(project, waitingOf(record, ending));
  if (!waiting || sha256(waiting) !== hash) return bytes;
  const [md, jsonl, json] = await Promise.all(
    ENDINGS.map(async (it) => (await files.read(project, waitingOf(record, it)))?.toString('utf8')),
  );
  const texts = {
    ...(md === undefined ? {} : { md }),
    ...(jsonl === undefined ? {} : { jsonl }),
    json: json ?? JSON.stringify(record),
  };
  // A disk that takes nothing does not keep anyone from reading.
  await orFault(settleComposed(world, project, record, { texts }));
  return waiting;
}

/** All files of a name that no composition has any more. */
export async function removeComposed(world: World, project: ProjectId, name: string): Promise<void> {
  const { files } = world.archive;
  await world.archive.exclusive(async () => {
    const { manifest } = (await world.archive.open(project)) ?? {};
    if (manifest?.compositions[name]) return;
    for (const file of await files.list(project, `composed/${name}`))
      await files.remove(project, fileOf(name, file));
  });
}
