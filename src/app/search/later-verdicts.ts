import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import { fields, figure, oneOf, record, text } from '../../core/model/shape.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import type { StatedSession } from '../../core/statements/overturned-later.ts';
import { STATEMENTS, statementFileName } from '../layers/statement-files.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { allRepositories, type Repository, repositoryOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';

/** The later statement that took one back: its project, a hash of its session's id, and its own id. No words. */
type LaterStatement = { project: string; session: string; id: string };
/** By the ids of the statements of one folder; `made` are the generations of all folders then. */
type LaterFile = { version: 1; made: Record<string, number>; by: Record<string, LaterStatement> };

const LATER: StoredKind<LaterFile> = {
  schema: fields({
    version: oneOf(1),
    made: record(figure),
    by: record(fields({ project: text, session: text, id: text })),
  }),
  format: ['version', 1],
  damaged: 'It is made again by the next sync.',
  derived: true,
};

/** What later sessions took back, of each project that changed since: found here, since a search has no time to compare all sessions. */
export async function refreshLaterVerdicts(world: World): Promise<void> {
  for (const repository of await allRepositories(world)) await refresh(world, repository);
}

/** The same for the repository of one project. */
export async function makeLaterVerdicts(world: World, project: ProjectId): Promise<void> {
  await refresh(world, await repositoryOf(world, project));
}

async function refresh(world: World, { folders }: Repository): Promise<void> {
  const heads = await Promise.all(folders.map(({ projectId }) => world.archive.head(projectId)));
  const made = Object.fromEntries(folders.map(({ projectId }, at) => [projectId, heads[at]?.gen ?? 0]));
  const before = await Promise.all(folders.map(({ projectId }) => readLater(world, projectId)));
  if (before.every((it) => it && isSame(it.made, made))) return;
  // Who only reads what was found loads nothing of it.
  const { negates, wishOf } = await import('../../core/layers/facts/polarity.ts');
  const { overturningStatements } = await import('../../core/statements/overturned-later.ts');
  const { currentStatements } = await import('../layers/statements.ts');
  const stated: (StatedSession & { project: ProjectId })[] = [];
  for (const { projectId: project } of folders) {
    const sessions = (await world.archive.open(project))?.manifest.sessions ?? {};
    for (const session of Object.values(sessions)) {
      if (!session.registered || session.by !== undefined || isOutdated(session)) continue;
      const { sessionId, lastTimestamp: last } = session;
      stated.push({ project, sessionId, last, statements: await currentStatements(world, project, session) });
    }
  }
  const found = overturningStatements(stated, (earlier, later) => negates(wishOf(earlier), wishOf(later)));
  const sessionOf = new Map(stated.flatMap((it) => it.statements.map(({ id }) => [id, it] as const)));
  for (const { projectId } of folders) {
    const own = stated.filter(({ project }) => project === projectId).flatMap(({ statements }) => statements);
    const by = Object.fromEntries(
      own.flatMap(({ id }) => {
        const later = found.get(id);
        const session = later && sessionOf.get(later.id);
        if (!session) return [];
        const place = { project: session.project, session: shortHash(session.sessionId, 12), id: later.id };
        return [[id, place] as const];
      }),
    );
    const file: LaterFile = { version: 1, made, by };
    await world.archive.files.write(undefined, fileOf(projectId), JSON.stringify(file));
  }
}

async function readLater(world: World, project: ProjectId): Promise<LaterFile | undefined> {
  return (await readStored(world, undefined, fileOf(project), LATER)).value;
}

function fileOf(project: ProjectId): string {
  return `layers/${project}.later.json`;
}

function isSame(a: Record<string, number>, b: Record<string, number>): boolean {
  const keys = Object.keys(b);
  return (
    keys.length === Object.keys(a).length && keys.every((key) => Object.hasOwn(a, key) && a[key] === b[key])
  );
}

/** The statements of a project that later sessions took back; each file is read once. */
export class LaterVerdicts {
  readonly #world: World;
  readonly #files = new Map<string, Promise<ReadonlyMap<string, LaterStatement>>>();
  readonly #manifests = new Map<string, Promise<Manifest | undefined>>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The later statement that took this one back, as far as it is still there. */
  async on(project: ProjectId, id: string): Promise<SessionStatement | undefined> {
    const files = this.#files.get(project) ?? this.#read(project);
    this.#files.set(project, files);
    const later = (await files).get(id);
    return later && this.#statement(later);
  }

  manifest(project: ProjectId): Promise<Manifest | undefined> {
    const known = this.#manifests.get(project) ?? this.#open(project);
    this.#manifests.set(project, known);
    return known;
  }

  async #open(project: ProjectId): Promise<Manifest | undefined> {
    return (await this.#world.archive.open(project))?.manifest;
  }

  async #read(project: ProjectId): Promise<ReadonlyMap<string, LaterStatement>> {
    return new Map(Object.entries((await readLater(this.#world, project))?.by ?? {}));
  }

  async #statement({ project, session, id }: LaterStatement): Promise<SessionStatement | undefined> {
    const of = project as ProjectId;
    const sessions = Object.values((await this.manifest(of))?.sessions ?? {});
    const record = sessions.find((it) => it.registered && shortHash(it.sessionId, 12) === session);
    if (!record) return undefined;
    const { value } = await readStored(this.#world, of, statementFileName(record.l1.file), STATEMENTS);
    return value?.statements.find((it) => it.id === id);
  }
}
