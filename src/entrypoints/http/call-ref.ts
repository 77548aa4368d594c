import { type FoundSession, findSession } from '../../app/find/session.ts';
import type { SessionRef } from '../../app/find/session-ref.ts';
import type { JobName } from '../../app/jobs.ts';
import type { Reads } from '../../app/reads.ts';
import type { World } from '../../app/world.ts';
import { Fault } from '../../core/model/fault.ts';

type Named = {
  params: { sessionId: string; projectId?: string };
  query?: unknown;
  world: World;
};

/** The session that a path names; in two projects, `?project=` settles it. */
export function namedSession({ params, query, world }: Named): Promise<FoundSession> {
  const { project } = (query ?? {}) as { project?: string };
  return findSession(world, params.sessionId, params.projectId ?? project);
}

/** What a route reads that lists or changes concepts and facts. */
export function layersRead({ query }: { query: { project?: string | undefined } }): Reads {
  return { layersOf: query.project };
}

export async function refOf(call: Named): Promise<SessionRef> {
  const { projectId, sessionId } = await namedSession(call);
  return { project: projectId, session: sessionId };
}

/** Registering a known session waits for other work on it; an unknown one, or a folder, waits for syncs of everything. */
export async function takingIn(world: World, target: string, project?: string): Promise<JobName> {
  const call = {
    world,
    params: { sessionId: target, ...(project === undefined ? {} : { projectId: project }) },
  };
  return workOn('register', call).catch((error: unknown) => {
    if (error instanceof Fault) return { kind: 'register', subject: target, turn: 'sync' };
    throw error;
  });
}

/** A purge needs the complete id: a short prefix can soon match another session. */
export function wholeId(named: string, meant: string | null): void {
  if (named !== meant)
    throw new Fault('usage', 'A purge needs the complete id.', { hint: `Did you mean ${meant}?` });
}

/** Work on one session is done one after the other. */
export async function workOn(kind: string, call: Named): Promise<JobName> {
  const { project, session } = await refOf(call);
  return { kind, subject: `${project}/${session}` };
}
