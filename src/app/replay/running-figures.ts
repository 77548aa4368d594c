import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import type { Injection } from '../../core/model/injection.ts';
import { figure as count, fields, oneOf, text } from '../../core/model/shape.ts';
import type { CaseSession } from '../../core/replay/case-session.ts';
import { contradictedInjections } from '../../core/replay/contradicted.ts';
import type { ReplayedInjection } from '../../core/replay/replay-case.ts';
import { findProjectFolders } from '../find/project.ts';
import { openProjects } from '../find/projects.ts';
import { readInjections } from '../inject/injection-log.ts';
import { listInjections } from '../inject/injections.ts';
import { orFault } from '../or-fault.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { caseRules, withStatements } from './project-cases.ts';
import { ReplayedSessions } from './replayed-sessions.ts';
import { Timeline } from './timeline.ts';

/** What became of all that hooks really added to conversations. */
export type RunningFigures = {
  /** The time of the first; null where there is none. */
  since: string | null;
  injections: number;
  tokens: number;
  /** Those whose session is archived, and those of them that it used. */
  known: number;
  used: number;
  /** Those that said what was taken back, before or since. */
  contradicted: number;
  unhelpful: number;
};

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
  damaged: 'The figures are counted again.',
};

/** Since memory was installed: how often an injection was used, contradicted, marked as not helpful. Counted when something changed. */
export async function runningFigures(world: World, project?: string): Promise<RunningFigures> {
  const folders =
    project === undefined ? await world.archive.projects() : await findProjectFolders(world, project);
  const of = await stampOfInjections(world, folders);
  const file = `replay/running-${shortHash(project ?? '', 8)}.json`;
  const { value } = await readStored(world, undefined, file, KNOWN);
  if (value?.of === of) return { ...value.figures, since: value.figures.since ?? null };
  const { since, ...figures } = await counted(world, project);
  const known: KnownFigures = {
    version: 1,
    of,
    figures: { ...figures, ...(since === null ? {} : { since }) },
  };
  // An archive that can't be written is read all the same.
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

async function counted(world: World, project: string | undefined): Promise<RunningFigures> {
  const list = await listInjections(world, project === undefined ? {} : { project });
  const figures = { injections: list.total, tokens: list.tokens, known: list.known, used: list.used };
  if (list.total === 0) return { since: null, ...figures, contradicted: 0, unhelpful: 0 };
  return {
    since: list.items.at(-1)?.at ?? null,
    ...figures,
    contradicted: await contradicted(world, new Set(list.items.map(({ id }) => id))),
    unhelpful: list.items.filter(({ unhelpful }) => unhelpful).length,
  };
}

async function contradicted(world: World, asked: ReadonlySet<string>): Promise<number> {
  const manifests = await openProjects(world);
  const found = new Set<string>();
  for (const { folders } of await allRepositories(world)) {
    const own = folders.map(({ projectId }) => projectId);
    const rows = await readInjections(world, own);
    if (rows.length === 0) continue;
    const timeline = new Timeline(manifests.filter(({ projectId }) => own.includes(projectId)));
    const begun = timeline.begun();
    const replayed = new ReplayedSessions(world, timeline, '');
    const sessions: CaseSession[] = [];
    for (const session of begun) {
      const { moments } = await replayed.of(session);
      const { sessionId, firstTimestamp: first, lastTimestamp: last } = session.record;
      const own = rows.filter((row) => row.session === sessionId);
      sessions.push({
        project: session.projectId,
        session: sessionId,
        first,
        last,
        moments,
        stated: [],
        injections: own.map(asReplayed),
      });
    }
    const { whole, takenBack } = await withStatements(world, begun, sessions);
    for (const { said } of contradictedInjections(whole, takenBack, caseRules()))
      for (const row of rows)
        if (asked.has(row.id) && said && row.text.includes(said.text)) found.add(row.id);
  }
  return found.size;
}

function asReplayed({ on, at, text, tokens, sources }: Injection): ReplayedInjection {
  return {
    on: on === 'start' ? 'start' : 'prompt',
    src: 0,
    ts: at,
    text,
    tokens,
    offer: false,
    sources,
    used: [],
    echo: 0,
  };
}
