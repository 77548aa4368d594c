import { likelyFiles } from '../../core/inject/likely-files.ts';
import { isProjectId, type ProjectId } from '../../core/model/ids.ts';
import { fields, figure, list, oneOf, record, text } from '../../core/model/shape.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { oneLine } from '../../core/search/recall-text.ts';
import type { SessionRow } from '../find/sessions.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { RecallPiece } from '../recall/sources.ts';
import type { World } from '../world.ts';
import type { StatedSection } from './stated-pieces.ts';

/**
 * What a project has to say when a session starts, made ahead: a manifest of a thousand sessions takes longer to read
 * than a hook may. Disposable.
 */
export type StartInjection = {
  version: 5;
  name: string;
  /** The projects it was made from (worktrees share a memory), with their generations then. */
  made: Record<string, number>;
  pieces: RecallPiece[];
  /** What the files that people may edit looked like then. */
  notes: string;
  /** What else is said takes so many tokens: title, headings, rules. */
  tokens?: Record<string, number>;
  /** A sync has yet to rebuild what it would be made from. */
  stale?: true;
};

/** Paths of likely files: about 200 tokens. */
const MOST_FILES = 24;
/** Of the latest exchanges, those before what was decided. */
const LATEST_FIRST = 2;
/** Exchanges of one session: a long one must not leave the others no room. */
const OF_EACH = 4;

const piece = { section: text, source: text, text, project: text, sessionId: text, ts: text };
const kinds = oneOf('rule', 'pinned', 'journal', 'note', 'memory', 'summary', 'stated', 'topic', 'latest');
const START_INJECTION: StoredKind<StartInjection> = {
  schema: fields(
    {
      version: oneOf(5),
      name: text,
      made: record(figure),
      pieces: list(
        fields(
          { ...piece, kind: kinds },
          { exchange: text, id: text, whole: oneOf(true), byLine: oneOf(true), tokens: figure },
        ),
      ),
      notes: text,
    },
    { stale: oneOf(true), tokens: record(figure) },
  ),
  // An older version had other pieces.
  format: ['version', 5],
  damaged: 'Keepsake rebuilds it.',
};

const fileOf = (project: ProjectId) => `hooks/start/${project}.json`;

/** `folders` are those of the project now. */
export async function startInjection(
  world: World,
  project: ProjectId,
  folders: readonly ProjectId[],
): Promise<StartInjection> {
  const injection = await readStartInjection(world, project);
  const fresh =
    injection &&
    !injection.stale &&
    (await isFresh(world, injection, folders)) &&
    injection.notes === (await noteStamps(world, project));
  return fresh ? injection : makeStartInjection(world, project);
}

export async function makeStartInjection(world: World, project: ProjectId): Promise<StartInjection> {
  // A prompt only reads what was made: it need not load this.
  const { latestPieces, pinnedPieces, sessionKey, talkSessions } = await import('../recall/pieces.ts');
  const { memoryPieces } = await import('../recall/memory.ts');
  const { recallScope } = await import('../find/scope.ts');
  const { RecallSources } = await import('../recall/sources.ts');
  const { updateNotice } = await import('../recall/update-notice.ts');
  const { statedPieces } = await import('./stated-pieces.ts');
  const { countedAhead } = await import('./counted-ahead.ts');
  const scope = await recallScope(world, project);
  const sources = await RecallSources.open(world, scope, { own: true });
  const budget = (await world.settings.resolve(scope.project?.settings)).config.hooks.startTokens;
  const { states, ...stated } = await statedPieces(world, scope, sources);
  const without = await talkSessions(sources, states);
  const latest = await latestPieces(sources, { ofEach: OF_EACH, without });
  const { decided, environment, open } = stated;
  const shown = [...decided, ...environment, ...open, ...latest.slice(0, LATEST_FIRST)];
  const memory = await memoryPieces(world, scope, sources, {
    budget,
    latest,
    shown: shown.map(({ text }) => text),
  });
  const pieces = [
    ...updateNotice(sources),
    ...pinnedPieces(sources, undefined),
    ...inStartOrder({
      files: filesPiece(sources.rows, project),
      ...stated,
      memory: memory.filter(
        ({ project: projectId, sessionId }) => !without.has(sessionKey({ projectId, sessionId })),
      ),
      latest: latest.map((it) => ({ ...it, whole: true as const })),
    }),
  ];
  const injection: StartInjection = {
    version: 5,
    name: scope.name ?? '',
    made: Object.fromEntries(scope.manifests.map(({ projectId, gen }) => [projectId, gen])),
    ...(await countedAhead(world, scope, pieces)),
    notes: await noteStamps(world, project),
    ...(sources.stale.size > 0 || sources.waiting > 0 ? { stale: true } : {}),
  };
  await world.archive.files.write(undefined, fileOf(project), JSON.stringify(injection));
  return injection;
}

const OWN_WORDS = /^User: "/;

type SaidAt = { sessionId?: string; ts?: string };
type StartSections<P> = Record<'files' | 'memory' | 'latest' | StatedSection, P[]>;

/**
 * By what each is worth for a token; docs/benchmarks-in-detail.md has the figures. What was done last is not left out for all
 * that was ever decided.
 */
export function inStartOrder<P extends PackedPiece & SaidAt>(sections: StartSections<P>): P[] {
  const { files, environment, open, decided, memory, latest } = sections;
  const isLatest = (piece: SaidAt) =>
    latest
      .slice(0, LATEST_FIRST)
      .some(({ sessionId, ts }) => ts === piece.ts && sessionId === piece.sessionId);
  const earlier = latest.slice(LATEST_FIRST).map((piece) => ({ ...piece, section: 'Earlier' }));
  return [
    ...files,
    ...environment,
    ...open,
    ...latest.slice(0, LATEST_FIRST),
    // What the user said in an exchange is in the exchange; what was committed in it is not.
    ...decided.filter((piece) => !OWN_WORDS.test(piece.text) || !isLatest(piece)),
    ...memory,
    ...earlier,
  ];
}

/** The files that are likely next: an agent finds its way by them, and a path costs little. */
function filesPiece(newestFirst: readonly SessionRow[], project: ProjectId): RecallPiece[] {
  const changed = newestFirst.map(({ projectId, metadata }) => ({
    files: metadata.filesTouched.filter((file) => !/^(?:\/|~|\.\.)/.test(file)),
    here: projectId === project,
  }));
  const files = likelyFiles(changed, MOST_FILES);
  if (files.length === 0) return [];
  // A path that is cut finds nothing.
  const text = files.map(oneLine).join(', ');
  const about = { kind: 'note' as const, project, sessionId: '', ts: '', whole: true as const };
  return [{ ...about, section: 'Files that recent sessions changed most', source: 'by their records', text }];
}

async function noteStamps(world: World, project: ProjectId): Promise<string> {
  const stamps = ['memory.md', 'project.md'].map(async (name) => {
    const found = await world.transcripts.inspect(world.archive.files.path(project, `memory/${name}`));
    return found && found !== 'folder' ? `${found.size}-${found.mtimeMs}` : '';
  });
  return (await Promise.all(stamps)).join(' ');
}

async function readStartInjection(world: World, project: ProjectId): Promise<StartInjection | undefined> {
  return (await readStored(world, undefined, fileOf(project), START_INJECTION)).value;
}

/** Made from all folders that the project has now, as they are. */
async function isFresh(
  world: World,
  { made }: StartInjection,
  folders: readonly ProjectId[],
): Promise<boolean> {
  if (folders.some((id) => !Object.hasOwn(made, id))) return false;
  const heads = Object.entries(made).map(
    async ([id, gen]) => isProjectId(id) && (await world.archive.head(id))?.gen === gen,
  );
  return heads.length > 0 && (await Promise.all(heads)).every(Boolean);
}
