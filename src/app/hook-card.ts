import type { ProjectId } from '../core/model/ids.ts';
import { latestPieces, pinnedPieces } from './recall.ts';
import { recallScope } from './recall-scope.ts';
import { type RecallPiece, RecallSources } from './recall-sources.ts';
import type { World } from './world.ts';

/**
 * What a project has to say when a session starts, made ahead: a manifest of a thousand sessions takes longer to read
 * than a hook may. Disposable.
 */
export type StartCard = {
  version: 1;
  name: string;
  /** The projects it was made from (worktrees share a memory), with their generations then. */
  made: Record<string, number>;
  pieces: RecallPiece[];
};

/** Exchanges of one session: a long one must not leave the others no room. */
const OF_EACH = 4;

const fileOf = (project: ProjectId) => `hooks/start/${project}.json`;

export async function startCard(world: World, project: ProjectId): Promise<StartCard> {
  const card = readCard(await world.archive.files.read(undefined, fileOf(project)));
  return card && (await isFresh(world, card)) ? card : makeCard(world, project);
}

export async function makeCard(world: World, project: ProjectId): Promise<StartCard> {
  const scope = await recallScope(world, project);
  const sources = new RecallSources(world, scope);
  const pieces = [
    ...pinnedPieces(sources, undefined),
    ...(await latestPieces(sources, new Set(), undefined, OF_EACH)),
  ];
  const card: StartCard = {
    version: 1,
    name: scope.project?.displayName ?? '',
    made: Object.fromEntries(scope.manifests.map(({ projectId, gen }) => [projectId, gen])),
    pieces,
  };
  await world.archive.files.write(undefined, fileOf(project), JSON.stringify(card));
  return card;
}

/** The projects whose memory a project shares, as far as its card knows. */
export async function cardGroup(world: World, project: ProjectId): Promise<string[]> {
  return Object.keys(readCard(await world.archive.files.read(undefined, fileOf(project)))?.made ?? {});
}

function readCard(bytes: Buffer | undefined): StartCard | undefined {
  if (!bytes) return undefined;
  try {
    const card = JSON.parse(bytes.toString('utf8')) as StartCard;
    return card.version === 1 && Array.isArray(card.pieces) ? card : undefined;
  } catch {
    return undefined;
  }
}

async function isFresh(world: World, { made }: StartCard): Promise<boolean> {
  const heads = Object.entries(made).map(
    async ([id, gen]) => (await world.archive.head(id as ProjectId))?.gen === gen,
  );
  return heads.length > 0 && (await Promise.all(heads)).every(Boolean);
}
