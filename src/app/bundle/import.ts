import type { ProjectLine } from '../../core/bundle/bundle-line.ts';
import { type FolderProject, groupProjects } from '../../core/identity/group-projects.ts';
import { authorName, claimedName } from '../../core/model/author-name.ts';
import { purgesOf } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { fields, figure, flag, list, oneOf, record, text } from '../../core/model/shape.ts';
import { openProjects } from '../find/projects.ts';
import { syncLayers } from '../layers/sync.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { bringIndexUp } from '../search/bring-index-up.ts';
import { newReport, type RunOptions } from '../sync-report.ts';
import type { World } from '../world.ts';
import { applyBundle } from './apply.ts';
import { type Planned, plans } from './plan.ts';
import { bundlesOf, type Survey, surveyBundle } from './reader.ts';

/** Names the bundle whose import was begun; below the cache, like the copy of the bundle itself. */
const PENDING = 'import/pending.json';
/** Room that must stay free. */
const SPARE = 64 * 1024 * 1024;

/** How often sessions were purged, by `PROJECT/SESSION`. */
type PurgeCounts = Record<string, number>;

export type ImportBundleOptions = RunOptions & {
  /** The project that a bundle of one project goes to. */
  project?: string;
  dryRun?: boolean;
  /** Pages of the journal may be written into the project's own folder. */
  journal?: boolean;
  /** It was made by this user: its words count as said here. */
  mine?: boolean;
  /** What its maker is called here. */
  by?: string;
  /** A remote sent it: who asked for it carries its purges out, and its records may have been here before. */
  fromRemote?: boolean;
  /** Sessions that come back though they were purged here. */
  back?: string[];
  /** How many purges of them were known when that was found, by project and session; without it those of now. */
  purges?: PurgeCounts;
};

export type ImportedProject = {
  projectId: string;
  name: string;
  /** It was not in the archive before. */
  isNew: boolean;
  sessions: { added: number; known: number; purged: number };
  versions: number;
  compositions: number;
  overlays: number;
  facts: number;
  concepts: number;
  tombstones: number;
  links: number;
};
export type ImportedBundle = {
  file: string;
  madeAt: string;
  /** Whose words came in; null: this user's own. */
  by: string | null;
  dryRun: boolean;
  projects: ImportedProject[];
  notes: string[];
};

/**
 * Takes in what a bundle holds. It is read once to its end before anything is written, and merged by ids: done twice it
 * changes nothing, and cut off anywhere the next start finishes it.
 */
export async function importBundle(
  world: World,
  path: string,
  options: ImportBundleOptions = {},
): Promise<ImportedBundle> {
  checkAuthor(options);
  const { back, purges = await countPurges(world, back) } = options;
  await finishImport(world);
  if (options.dryRun) {
    const { projects, header } = await surveyed(world, path, options.project);
    const author = authorOf(header, options);
    const planned = await plans(world, projects, { project: options.project, author });
    return {
      file: path,
      madeAt: header.madeAt,
      by: author ?? null,
      dryRun: true,
      projects: planned.map(importedProject),
      notes: [],
    };
  }
  // A private copy: exactly what was checked is imported, even if the file changes.
  if ((await bundlesOf(world).size(path)) === undefined)
    throw new Fault('not-found', `File not found: ${path}.`, { hint: 'Check the path.' });
  const kept = await bundlesOf(world).keep(path, `${shortHash(path, 12)}.keepsake.gz`);
  const { project, journal, mine, by, fromRemote } = options;
  const pending: Pending = {
    version: 1,
    kept,
    path,
    ...(project ? { project } : {}),
    ...(journal ? { journal } : {}),
    ...(mine ? { mine } : {}),
    ...(by === undefined ? {} : { by }),
    ...(fromRemote ? { fromRemote } : {}),
    ...(back ? { back, purges } : {}),
  };
  try {
    const survey = await surveyed(world, kept, project, path);
    await refuseWithoutRoom(world, path, survey.bytes);
    await world.archive.files.write(undefined, PENDING, JSON.stringify(pending));
    return await run(world, pending, survey, options);
  } finally {
    // Begun and not finished: the copy is used to finish it.
    if ((await world.archive.files.size(undefined, PENDING)) === 0) await dropCopy(world, pending);
  }
}

const UNNAMED = 'unknown';

async function countPurges(world: World, sessions: readonly string[] = []): Promise<PurgeCounts> {
  const manifests = sessions.length > 0 ? await openProjects(world) : [];
  return Object.fromEntries(
    manifests.flatMap((manifest) =>
      sessions.map((session) => [`${manifest.projectId}/${session}`, purgesOf(manifest, session)]),
    ),
  );
}

/** A bundle contains words of others unless the user says that it is one of their own. */
function authorOf({ by }: Survey['header'], options: { mine?: boolean; by?: string }): string | undefined {
  if (options.mine) return undefined;
  return options.by === undefined ? claimedName(by, UNNAMED) : authorName(options.by);
}

function checkAuthor({ mine, by, journal }: ImportBundleOptions): void {
  if (mine && by !== undefined)
    throw new Fault('usage', '--mine and --by contradict each other.', {
      hint: 'Use --mine for your own sessions, or --by NAME for those of somebody else.',
    });
  if (journal && !mine)
    throw new Fault('usage', "Journal pages that others wrote can't be imported into your project.", {
      hint: 'Add --mine if you made this bundle.',
    });
}

async function surveyed(
  world: World,
  file: string,
  project: string | undefined,
  path = file,
): Promise<Survey> {
  const survey = await surveyBundle(world, file, path);
  const held = groupProjects(survey.projects.map(({ project: line }) => folderOf(line))).length;
  if (project === undefined || held <= 1) return survey;
  throw new Fault('usage', `${path} contains ${held} projects.`, {
    hint: 'Remove --project: each project is imported under its own name.',
  });
}

function folderOf({ id, path, name, repository }: ProjectLine): FolderProject {
  return { projectId: id, originalPath: path, displayName: name, repository };
}

async function refuseWithoutRoom(world: World, path: string, bytes: number): Promise<void> {
  const free = await world.machine.freeBytes(world.archive.root);
  if (free === undefined || free >= 2 * bytes + SPARE) return;
  throw new Fault(
    'disk-full',
    `Not enough disk space: ${path} contains ${bytes.toLocaleString('en')} bytes, ${free.toLocaleString('en')} are free.`,
    {
      hint: 'Free some space, then import it again.',
    },
  );
}

async function dropCopy(world: World, { kept }: Pending): Promise<void> {
  const name = kept.split(/[\\/]/).at(-1) ?? '';
  await world.archive.files.remove(undefined, `import/${name}`);
}

type Pending = {
  version: 1;
  kept: string;
  path: string;
  project?: string;
  journal?: boolean;
  mine?: boolean;
  by?: string;
  fromRemote?: boolean;
  back?: string[];
  purges?: PurgeCounts;
};

const PENDING_IMPORT: StoredKind<Pending> = {
  schema: fields(
    { version: oneOf(1), kept: text, path: text },
    {
      ...{ project: text, journal: flag, mine: flag, by: text, fromRemote: flag },
      ...{ back: list(text), purges: record(figure) },
    },
  ),
  format: ['version', 1],
  damaged: 'Import the bundle again.',
};

/** Finishes an import that was cut off; undefined if there is none. */
export async function finishImport(world: World): Promise<ImportedBundle | undefined> {
  if (!world.bundles) return undefined;
  const { state, value: pending } = await readStored(world, undefined, PENDING, PENDING_IMPORT);
  if (state === 'missing') return undefined;
  if (state === 'damaged') world.report?.(`An import was interrupted. ${PENDING_IMPORT.damaged}`);
  if (pending && (await world.bundles.size(pending.kept)) !== undefined)
    return run(world, pending, await surveyBundle(world, pending.kept, pending.path), { isLate: true });
  await world.archive.files.remove(undefined, PENDING);
  return undefined;
}

async function run(
  world: World,
  pending: Pending,
  { projects, header }: Survey,
  { isLate = false, ...options }: RunOptions & { isLate?: boolean },
): Promise<ImportedBundle> {
  const author = authorOf(header, pending);
  const { project, back = [], purges, fromRemote = false } = pending;
  const known = (session: string, folder: ProjectId) =>
    purges ? (purges[`${folder}/${session}`] ?? 0) : Number.POSITIVE_INFINITY;
  const backIn = (folder: ProjectId) => new Map(back.map((session) => [session, known(session, folder)]));
  const planned = await plans(world, projects, { project, author, backIn, deletesStay: fromRemote });
  const notes = await applyBundle(world, pending.kept, planned, {
    ...options,
    journal: pending.journal === true,
    purgesFollow: fromRemote,
    // A sync that was cut off notes nothing as taken in.
    comesAgain: fromRemote && isLate,
  });
  const report = newReport();
  await syncLayers(
    world,
    planned.map(({ plan }) => plan.project),
    { report, signal: options.signal },
  );
  notes.push(...report.problems.map(({ message }) => message), ...(await bringIndexUp(world)));
  await world.archive.files.remove(undefined, PENDING);
  await dropCopy(world, pending);
  return {
    file: pending.path,
    madeAt: header.madeAt,
    by: author ?? null,
    dryRun: false,
    projects: planned.map(importedProject),
    notes,
  };
}

function importedProject({ bundle, plan, isNew }: Planned): ImportedProject {
  const sessions = [...plan.sessions.values()];
  return {
    projectId: plan.project,
    name: bundle.project.name,
    isNew,
    sessions: {
      added: sessions.filter((session) => session.isNew).length,
      known: sessions.filter((session) => !session.isNew).length,
      purged: plan.purged.length,
    },
    versions: sessions.reduce((sum, { versions }) => sum + versions.versions.length, 0),
    compositions: plan.compositions.length,
    ...plan.added,
  };
}
