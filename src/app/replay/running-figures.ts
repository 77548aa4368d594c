import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { figure as count, fields, oneOf, text } from '../../core/model/shape.ts';
import { findProjectFolders } from '../find/project.ts';
import { orFault } from '../or-fault.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import type { RunningFigures } from './count-figures.ts';

const figure = fields(
  {
    injections: count,
    tokens: count,
    known: count,
    used: count,
    contradicted: count,
    unhelpful: count,
  },
  { since: text },
);
type KnownFigures = { version: 1; of: string; figures: Omit<RunningFigures, 'since'> & { since?: string } };
const KNOWN: StoredKind<KnownFigures> = {
  schema: fields({ version: oneOf(1), of: text, figures: figure }),
  format: ['version', 1],
  damaged: 'Keepsake counts the figures again.',
};

/** Since memory was installed: how often an injection was used, contradicted, marked as not helpful. Counted when something changed. */
export async function runningFigures(world: World, project?: string): Promise<RunningFigures> {
  const folders =
    project === undefined ? await world.archive.projects() : await findProjectFolders(world, project);
  const of = await stampOfInjections(world, folders);
  const file = `replay/running-${shortHash(project ?? '', 8)}.json`;
  const { value } = await readStored(world, undefined, file, KNOWN);
  if (value?.of === of) return { ...value.figures, since: value.figures.since ?? null };
  // Mostly nothing changed: then nothing of what counts is loaded.
  const { countFigures } = await import('./count-figures.ts');
  const { since, ...figures } = await countFigures(world, project);
  const known: KnownFigures = {
    version: 1,
    of,
    figures: { ...figures, ...(since === null ? {} : { since }) },
  };
  // An archive that can't be written is read anyway.
  await orFault(world.archive.files.write(undefined, file, JSON.stringify(known)));
  return { since, ...figures };
}

/** Changes with every session, injection and judgement of one. */
async function stampOfInjections(world: World, folders: readonly ProjectId[]): Promise<string> {
  const stamps: unknown[] = [];
  for (const repository of await allRepositories(world)) {
    const own = repository.folders.map(({ projectId }) => projectId);
    if (!own.some((it) => folders.includes(it))) continue;
    const found = await Promise.all(own.map((folder) => stampOfFolder(world, folder)));
    // A later session of another folder may take back what was said in this one.
    if (found.some(({ names }) => names.length > 0)) stamps.push(found);
  }
  return shortHash(JSON.stringify(stamps), 16);
}

async function stampOfFolder(world: World, folder: ProjectId) {
  const names = await world.archive.files.list(folder, 'injections');
  const sizes = await Promise.all(
    names.map((name) => world.archive.files.size(folder, `injections/${name}`)),
  );
  return { folder, gen: (await world.archive.head(folder))?.gen, names, sizes };
}
