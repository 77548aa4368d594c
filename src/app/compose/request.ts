import type { CompositionRequest, OutputFormat, Recompress, Strategy } from '../../core/model/composition.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { versionOrFault } from '../compress/versions.ts';
import { locateProject, projectHere } from '../find/locate-project.ts';
import { findProject } from '../find/project.ts';
import { openFolders } from '../find/projects.ts';
import { pickSession } from '../find/session.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import type { Reads } from '../reads.ts';
import { isBy } from '../recall/topic.ts';
import { projectsOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { fittingSessions } from './fitting-sessions.ts';

/** What a user asks for. */
export type ComposeAsk = {
  budget: number;
  /** `ID`, `ID:auto`, `ID:original`, `ID:part1_v002+part2_v001`, `current`. */
  sessions?: string[];
  /** The same, as a composition's record has them. */
  components?: AskedComponent[];
  /** The newest sessions of the project. */
  latest?: number;
  /** The session of the caller, which is left out of the newest. */
  except?: string;
  /** Those that other projects share with this one. */
  linked?: boolean;
  strategy?: Strategy;
  /** By id or its beginning. */
  allocations?: Record<string, number>;
  recompress?: Record<string, Recompress>;
  topic?: string;
  files?: string[];
  branch?: string;
  format?: OutputFormat;
  /** Versions made when their session was more sessions ago are not taken. */
  minFreshness?: number;
  asOf?: string;
  project?: string;
};

type AskedComponent = Omit<Component, 'projectId' | 'versionId'> & { projectId?: string; versionId?: string };

/** `notes`: what a user may wonder about. */
export type ResolvedAsk = { request: CompositionRequest; home: ProjectId; notes: string[] };

type Component = CompositionRequest['components'][number];

type Named = { sessions?: string[] | undefined; project?: string | undefined };

/** What must be up to date for a request: `current` is the session that the agent is writing in this directory. */
export function readsOf(ask: Named): Reads {
  return asksForCurrent(ask) ? { folderOf: ask.project } : 'sessions';
}

function asksForCurrent({ sessions }: Named): boolean {
  return sessions?.some((spec) => /^current(?::|$)/i.test(spec)) ?? false;
}

/** The sessions that a request means, in the order they were asked for; linked ones first, the latest last. None named: those that fit. */
export async function resolveAsk(world: World, asked: ComposeAsk): Promise<ResolvedAsk> {
  const ask = namesSessions(asked) ? asked : { ...asked, sessions: await fittingSessions(world, asked) };
  if (!Number.isSafeInteger(ask.budget) || ask.budget < 1)
    throw new Fault('usage', `Invalid budget: ${ask.budget}.`, {
      hint: 'Give a number of tokens, such as --budget 16000.',
    });
  const named = ask.project === undefined ? undefined : await findProject(world, ask.project);
  const current = asksForCurrent(ask) ? await currentOf(world, named) : undefined;
  const rows = await allSessions(world);
  const folders = new Set<string>(named === undefined ? [] : await projectsOf(world, named));
  const here = named ?? (ask.linked || ask.latest !== undefined ? await projectOfFolder(world) : undefined);
  const components: Component[] = [
    ...(ask.linked && here ? await linkedTo(world, here, rows) : []),
    ...(ask.sessions ?? []).map((spec) => componentOf(rows, spec, folders, current)),
    ...(await Promise.all((ask.components ?? []).map((it) => recorded(world, rows, it, folders)))),
    ...(ask.latest === undefined || !here
      ? []
      : latestOf(await inProject(world, rows, here), ask.latest, ask)),
  ];
  const unique = [...new Map(components.map((it) => [`${it.projectId}/${it.sessionId}`, it])).values()];
  const specs = [...(ask.sessions ?? []), ...(ask.components ?? []).map(({ sessionId }) => sessionId)];
  refuseTwice(specs, components.length - unique.length, ask);
  const [first] = unique;
  if (!first) {
    const hint = 'Choose sessions with --sessions a,b,c, with --latest 5, or with --topic TEXT.';
    throw new Fault(
      'usage',
      ask.linked ? 'No sessions are linked to this project.' : 'No sessions to compose.',
      {
        hint,
      },
    );
  }
  give(unique, ask.allocations ?? {}, (component, allocation) => ({ ...component, allocation }));
  give(unique, ask.recompress ?? {}, (component, recompress) => ({ ...component, recompress }));
  refuseContradictions(ask, unique);
  const request: CompositionRequest = {
    components: unique,
    totalTokenBudget: ask.budget,
    outputFormat: ask.format ?? 'both',
    ...(ask.strategy === undefined ? {} : { strategy: ask.strategy }),
    ...(ask.topic === undefined || ask.topic.trim() === '' ? {} : { topic: ask.topic.trim() }),
    ...(ask.files === undefined || ask.files.length === 0 ? {} : { files: ask.files }),
    ...(ask.branch === undefined ? {} : { branch: ask.branch }),
    ...(ask.minFreshness === undefined ? {} : { minFreshness: ask.minFreshness }),
    ...(ask.asOf === undefined ? {} : { asOf: ask.asOf }),
  };
  return { request, home: here ?? first.projectId, notes: notesOn(ask, components, current) };
}

/** A session that is asked for in two ways is included once. */
function notesOn(
  { latest }: ComposeAsk,
  components: readonly Component[],
  current: SessionRow | undefined,
): string[] {
  if (latest === undefined || !current) return [];
  const times = components.filter(({ sessionId }) => sessionId === current.sessionId).length;
  const newest = latest === 1 ? 'the newest session' : `one of the ${latest} newest sessions`;
  return times > 1 ? [`The current session is also ${newest}; it is included once.`] : [];
}

function namesSessions({ sessions, components, latest, linked }: ComposeAsk): boolean {
  return sessions !== undefined || components !== undefined || latest !== undefined || linked === true;
}

function componentOf(
  rows: SessionRow[],
  spec: string,
  folders: ReadonlySet<string>,
  current: SessionRow | undefined,
): Component {
  const colon = spec.indexOf(':');
  const id = (colon === -1 ? spec : spec.slice(0, colon)).trim();
  const versionId = colon === -1 ? 'auto' : spec.slice(colon + 1).trim() || 'auto';
  if (/^current$/i.test(id) && current)
    return { ...idsOf(current), versionId: wholeNames(current, versionId) };
  const within = rows.filter((row) => folders.has(row.projectId));
  const mine = within.some((row) => row.sessionId.toLowerCase().startsWith(id.toLowerCase()));
  const { row } = pickSession(mine ? within : rows, id);
  return { ...idsOf(row), versionId: wholeNames(row, versionId) };
}

/** `v001` as `part1_v001`: once there is a second part, the short name could be of either. */
function wholeNames({ compressions }: SessionRow, names: string): string {
  const whole = (name: string) => {
    const found = versionOrFault(compressions, name.trim());
    return found instanceof Fault ? name : found.versionId;
  };
  return names.split('+').map(whole).join('+');
}

/** One of a record: of the project that it names, and of no other. */
async function recorded(
  world: World,
  rows: SessionRow[],
  { projectId, sessionId, versionId = 'auto', ...more }: AskedComponent,
  folders: ReadonlySet<string>,
): Promise<Component> {
  const own = projectId === undefined ? undefined : await findProject(world, projectId);
  const among = own === undefined ? rows : rows.filter((row) => row.projectId === own);
  return {
    ...componentOf(among, sessionId, own === undefined ? folders : new Set([own]), undefined),
    versionId,
    ...more,
  };
}

function idsOf({ projectId, sessionId }: SessionRow) {
  return { projectId, sessionId };
}

/** The project of the folder in which the user is. */
async function projectOfFolder(world: World): Promise<ProjectId> {
  if (world.places.cwd === '') throw nowhere();
  return (await projectHere(world)) ?? (await locateProject(world, world.places.cwd)).project;
}

function nowhere(): Fault {
  return new Fault('usage', 'Missing project.', { hint: 'Name it with --project.' });
}

/** The latest session of this directory. */
async function currentOf(world: World, named: ProjectId | undefined): Promise<SessionRow> {
  const cwd = world.places.cwd || (named && (await world.archive.head(named))?.originalPath) || '';
  if (cwd === '') throw nowhere();
  const { project, exists } = await locateProject(world, cwd);
  const rows = exists ? await allSessions(world, project) : [];
  const [latest] = rows.filter((row) => row.registered && row.projectId === project).sort(newestFirst);
  if (latest) return latest;
  throw new Fault('not-found', 'This folder has no sessions yet.', {
    hint: 'Run the command in the folder where the agent works, or give a session id.',
  });
}

function newestFirst(a: SessionRow, b: SessionRow): number {
  return a.lastTimestamp < b.lastTimestamp ? 1 : a.lastTimestamp > b.lastTimestamp ? -1 : 0;
}

async function inProject(world: World, rows: SessionRow[], project: ProjectId): Promise<SessionRow[]> {
  const folders = new Set<string>(await projectsOf(world, project));
  return rows.filter((row) => folders.has(row.projectId));
}

function latestOf(
  rows: SessionRow[],
  latest: number,
  { asOf, except }: Pick<ComposeAsk, 'asOf' | 'except'>,
): Component[] {
  const own = rows.filter(
    (row) =>
      row.registered &&
      row.originalMessages > 0 &&
      row.sessionId !== except &&
      row.by === undefined &&
      (asOf === undefined || isBy(row.firstTimestamp, asOf)),
  );
  if (own.length === 0)
    throw new Fault('not-found', 'No sessions are archived for this project or folder.', {
      hint: 'Choose a project with --project, or sessions with --sessions.',
    });
  const newest = own.sort(newestFirst).slice(0, latest).reverse();
  return newest.map((row) => ({ ...idsOf(row), versionId: 'auto' }));
}

async function linkedTo(world: World, project: ProjectId, rows: SessionRow[]): Promise<Component[]> {
  const links = (await openFolders(world, project)).flatMap((manifest) => manifest.links);
  return links.flatMap(({ sourceProject, sourceSession }) => {
    const row = rows.find((it) => it.projectId === sourceProject && it.sessionId === sourceSession);
    if (!row) world.report?.(`The linked session ${sourceSession} is no longer in the archive.`);
    return row ? [{ ...idsOf(row), versionId: 'auto' }] : [];
  });
}

function refuseTwice(specs: string[], repeated: number, ask: ComposeAsk): void {
  if (repeated === 0 || ask.latest !== undefined || ask.linked) return;
  throw new Fault('usage', 'The same session is given twice.', {
    hint: `Name each once: ${specs.join(', ')}. To include several parts of a session, join them with +, as in ID:part1_v002+part2_v001.`,
  });
}

function give<V>(
  components: Component[],
  values: Record<string, V>,
  put: (to: Component, value: V) => Component,
) {
  for (const [id, value] of Object.entries(values)) {
    const fits = components.filter((it) => it.sessionId.toLowerCase().startsWith(id.toLowerCase()));
    const [found] = fits;
    if (!found) throw new Fault('not-found', `${JSON.stringify(id)} is not one of the chosen sessions.`);
    if (fits.length > 1)
      throw new Fault('ambiguous', `${JSON.stringify(id)} matches several of the chosen sessions.`, {
        choices: fits.map(({ projectId, sessionId }) => ({ ...(projectId ? { projectId } : {}), sessionId })),
      });
    components[components.indexOf(found)] = put(found, value);
  }
}

function refuseContradictions(ask: ComposeAsk, components: Component[]): void {
  const allocated = components.reduce((sum, { allocation = 0 }) => sum + allocation, 0);
  if (allocated > ask.budget)
    throw new Fault(
      'usage',
      `The allocations add up to ${allocated.toLocaleString('en')} tokens; the budget is ${ask.budget.toLocaleString('en')}.`,
    );
  if (ask.strategy === 'manual' && allocated === 0)
    throw new Fault('usage', 'The manual strategy needs allocations.', {
      hint: 'Give each session its tokens: --allocate 4f2a91c0=3000,9c1d22ab=8000.',
    });
  const named = components.find(({ versionId }) => !/^(?:auto|original)$/i.test(versionId));
  if (ask.asOf !== undefined && named)
    throw new Fault('usage', "--as-of can't be combined with named versions.", {
      hint: 'With --as-of, Keepsake makes every text for that day. Remove the version ids.',
    });
  const both = components.find(({ versionId, recompress }) => recompress && !/^auto$/i.test(versionId));
  if (both)
    throw new Fault(
      'usage',
      `${both.sessionId} can't use ${both.versionId} and be recompressed at the same time.`,
    );
}
