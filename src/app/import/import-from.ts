import { type AskedAgent, agentName } from '../../core/model/agent.ts';
import { Fault } from '../../core/model/fault.ts';
import { isSessionId } from '../../core/model/ids.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { ingestFiles } from '../intake/ingest-files.ts';
import { projectsWith } from '../intake/place-file.ts';
import type { ProjectSeed } from '../intake/project-book.ts';
import { layersAfter } from '../layers/sync.ts';
import { orFault } from '../or-fault.ts';
import { bringIndexUp } from '../search/bring-index-up.ts';
import { namedProject, type Registered } from '../sync/register.ts';
import { newReport, type RunOptions, unreadableProblem } from '../sync-report.ts';
import type { World } from '../world.ts';

type ImportFromOptions = RunOptions & {
  /** Where it is, if not in its usual place. */
  path?: string | undefined;
  /** Where all of it goes; without it each session goes to the project that it is of. */
  project?: string | undefined;
  /** Look only. */
  dryRun?: boolean | undefined;
};

export type ImportedFrom = Registered & {
  /** Sessions that were found, by the name of their project. */
  projects: { name: string; sessions: number }[];
  /** Sessions whose transcript the archive has: that says more. */
  known: number;
};

/** What another memory contains becomes sessions under its name: read only, found again, and never more than evidence. */
export async function importFrom(
  world: World,
  agent: AskedAgent,
  { path, project, dryRun, ...run }: ImportFromOptions,
): Promise<ImportedFrom> {
  const unreadable: string[] = [];
  const places = path === undefined ? (world.places.agents?.[agent] ?? []) : [path];
  const found: FoundTranscript[] = [];
  for (const place of places)
    found.push(...((await world.agents?.find(agent, place, unreadable, world.clock.millis())) ?? []));
  if (found.length === 0) throw nothingFound(agent, places, unreadable);
  const files: FoundTranscript[] = [];
  for (const file of found) if (!(await isKept(world, file))) files.push(file);
  const report: ImportedFrom = {
    ...newReport(),
    sessions: [],
    projects: countedProjects(files, project),
    known: found.length - files.length,
  };
  report.problems.push(...unreadable.map(unreadableProblem));
  if (dryRun) return { ...report, found: files.length };
  const seeds = await seedsOf(world, files, project);
  await ingestFiles(world, files, report, {
    ...run,
    projectOf: ({ home }, { cwd }) =>
      project === undefined && (cwd ?? home?.cwd) !== undefined
        ? undefined
        : seeds.get(project ?? home?.name ?? ''),
    onIngested: (projectId, sessionId) => report.sessions.push({ projectId, sessionId }),
  });
  await layersAfter(world, report.sessions, { report, signal: run.signal });
  report.notes.push(...(await bringIndexUp(world)));
  return report;
}

async function isKept(world: World, { known }: FoundTranscript): Promise<boolean> {
  const id = known?.copyOf;
  return id !== undefined && isSessionId(id) && (await projectsWith(world, id)).length > 0;
}

/** By name: a project that is there already is meant, too; where several have it, a new one is made. */
async function seedsOf(
  world: World,
  files: FoundTranscript[],
  project: string | undefined,
): Promise<Map<string, ProjectSeed>> {
  const names = project === undefined ? files.flatMap(({ home }) => home?.name ?? []) : [project];
  const seeds = new Map<string, ProjectSeed>();
  for (const name of new Set(names)) {
    const seed = await orFault(namedProject(world, name));
    seeds.set(name, seed instanceof Fault || !seed.project ? { path: name, displayName: name } : seed);
  }
  return seeds;
}

function countedProjects(files: FoundTranscript[], project: string | undefined): ImportedFrom['projects'] {
  const counts = new Map<string, number>();
  for (const { home } of files) {
    const name = project ?? home?.cwd ?? home?.name ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, sessions]) => ({ name, sessions }));
}

function nothingFound(agent: AskedAgent, places: string[], unreadable: string[]): Fault {
  const [damaged] = unreadable;
  if (damaged !== undefined)
    return new Fault(
      'unreadable',
      `${damaged} is not in a format of ${agentName(agent)} that Keepsake knows.`,
      {
        hint: 'Nothing was imported. A newer version of the agent may have written it.',
      },
    );
  return new Fault('not-found', `${agentName(agent)}: no sessions found in ${places.join(', ')}.`, {
    hint: `Give its folder: keepsake import --from ${agent} PATH`,
  });
}
