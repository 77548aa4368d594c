import type { ProjectId } from '../../core/model/ids.ts';
import {
  bestCases,
  figuresOf,
  type ReplayFigures,
  sumFigures,
  unsaidCases,
  worstCases,
} from '../../core/replay/figures.ts';
import type { ReplayCase } from '../../core/replay/replay-case.ts';
import { rest } from '../in-steps.ts';
import type { World } from '../world.ts';
import { casesOf } from './project-cases.ts';
import { type ReplayRequest, type ReplayRun, replayedProjects } from './replayed-projects.ts';

export type ProjectReplay = { projectId: ProjectId; name: string; figures: ReplayFigures };
export type ReplayReport = {
  /** When the first and the last of the sessions began; null if there is none. */
  first: string | null;
  last: string | null;
  figures: ReplayFigures;
  projects: ProjectReplay[];
  /** Of what memory would have said. */
  best: ReplayCase[];
  /** What came again and memory would not have said. */
  unsaid: ReplayCase[];
  worst: ReplayCase[];
  /** All of them, the best first, then the worst. */
  cases: ReplayCase[];
};

const BEST = 10;
const UNSAID = 5;
const WORST = 5;

/** What memory would have said in past sessions, and where that would have helped or been wrong. */
export async function replay(
  world: World,
  request: ReplayRequest = {},
  run: ReplayRun = {},
): Promise<ReplayReport> {
  const { timeline, targets, projects: replayed } = await replayedProjects(world, request, run);
  const projects: ProjectReplay[] = [];
  const cases: ReplayCase[] = [];
  for (const { repository, sessions } of replayed) {
    const found = await casesOf(world, timeline.begun(), sessions);
    cases.push(...found);
    const { main, name } = repository;
    projects.push({ projectId: main.projectId, name, figures: figuresOf(sessions, found) });
    await rest(run.signal);
  }
  projects.sort((a, b) => b.figures.sessions - a.figures.sessions || (a.projectId < b.projectId ? -1 : 1));
  const times = targets.map(({ record }) => record.firstTimestamp).sort();
  return {
    first: times[0] ?? null,
    last: times.at(-1) ?? null,
    figures: sumFigures(projects.map(({ figures }) => figures)),
    projects,
    best: bestCases(
      cases.filter(({ said }) => said !== undefined),
      BEST,
    ),
    unsaid: unsaidCases(cases, UNSAID),
    worst: worstCases(cases, WORST),
    cases: [...bestCases(cases, cases.length), ...worstCases(cases, cases.length)],
  };
}
