import { type FoundSession, findSession } from '../../app/find-session.ts';
import type { JobName } from '../../app/jobs.ts';
import type { SessionRef } from '../../app/session-ref.ts';
import type { World } from '../../app/world.ts';

type Named = {
  params: { sessionId: string; projectId?: string };
  query?: unknown;
  world: World;
};

/** The session that a path names; in two projects, `?project=` settles it. */
export function sessionOf({ params, query, world }: Named): Promise<FoundSession> {
  const { project } = (query ?? {}) as { project?: string };
  return findSession(world, params.sessionId, params.projectId ?? project);
}

export async function refOf(call: Named): Promise<SessionRef> {
  const { projectId, sessionId } = await sessionOf(call);
  return { project: projectId, session: sessionId };
}

/** Work on one session is done one after the other. */
export async function workOn(kind: string, call: Named): Promise<JobName> {
  const { project, session } = await refOf(call);
  return { kind, subject: `${project}/${session}` };
}
