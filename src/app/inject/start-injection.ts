import { isProjectId, type ProjectId } from '../../core/model/ids.ts';
import type { RecallPiece } from '../recall/sources.ts';
import type { World } from '../world.ts';

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
  /** What the files that people may edit looked like then. */
  notes: string;
};

/** Exchanges of one session: a long one must not leave the others no room. */
const OF_EACH = 4;

const fileOf = (project: ProjectId) => `hooks/start/${project}.json`;

export async function startCard(world: World, project: ProjectId): Promise<StartCard> {
  const card = readCard(await world.archive.files.read(undefined, fileOf(project)));
  const fresh = card && (await isFresh(world, card)) && card.notes === (await looksOf(world, project));
  return fresh ? card : makeCard(world, project);
}

export async function makeCard(world: World, project: ProjectId): Promise<StartCard> {
  // A prompt only reads what was made: it need not load this.
  const { latestPieces, pinnedPieces } = await import('../recall/pieces.ts');
  const { memoryPieces } = await import('../recall/memory.ts');
  const { recallScope } = await import('../find/scope.ts');
  const { RecallSources } = await import('../recall/sources.ts');
  const scope = await recallScope(world, project);
  const sources = new RecallSources(world, scope);
  const budget = (await world.settings.resolve(scope.project?.settings)).config.hooks.startTokens;
  const latest = await latestPieces(sources, new Set(), undefined, OF_EACH);
  const pieces = [
    ...pinnedPieces(sources, undefined),
    ...(await memoryPieces(world, scope, sources, { budget, latest })),
    ...latest,
  ];
  const card: StartCard = {
    version: 1,
    name: scope.project?.displayName ?? '',
    made: Object.fromEntries(scope.manifests.map(({ projectId, gen }) => [projectId, gen])),
    pieces,
    notes: await looksOf(world, project),
  };
  await world.archive.files.write(undefined, fileOf(project), JSON.stringify(card));
  return card;
}

/** The projects whose memory a project shares, as far as its card knows. */
export async function cardGroup(world: World, project: ProjectId): Promise<string[]> {
  return Object.keys(readCard(await world.archive.files.read(undefined, fileOf(project)))?.made ?? {});
}

async function looksOf(world: World, project: ProjectId): Promise<string> {
  const looks = ['memory.md', 'project.md'].map(async (name) => {
    const found = await world.transcripts.inspect(world.archive.files.path(project, `memory/${name}`));
    return found && found !== 'folder' ? `${found.size}-${found.mtimeMs}` : '';
  });
  return (await Promise.all(looks)).join(' ');
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
    async ([id, gen]) => isProjectId(id) && (await world.archive.head(id))?.gen === gen,
  );
  return heads.length > 0 && (await Promise.all(heads)).every(Boolean);
}
