import type { Injection } from '../../core/model/injection.ts';
import type { CaseSession } from '../../core/replay/case-session.ts';
import { contradictedInjections } from '../../core/replay/contradicted.ts';
import type { ReplayedInjection } from '../../core/replay/replay-case.ts';
import { openProjects } from '../find/projects.ts';
import { readInjections } from '../inject/injection-log.ts';
import { listInjections } from '../inject/injections.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { caseRules, withStatements } from './project-cases.ts';
import { ReplayedSessions } from './replayed-sessions.ts';
import { Timeline } from './timeline.ts';

/** Counts how what hooks really added was used. */
export type RunningFigures = {
  /** The time of the first; null if there is none. */
  since: string | null;
  injections: number;
  tokens: number;
  /** Those whose session is archived, and those of them that it used. */
  known: number;
  used: number;
  /** Those that said what was withdrawn, before or since. */
  contradicted: number;
  unhelpful: number;
};

/** Looks through all injections, and all sessions of the projects that have any. */
export async function countFigures(world: World, project: string | undefined): Promise<RunningFigures> {
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
