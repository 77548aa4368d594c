import { callApi } from '../../api/call-api.ts';
import { confirmFirst } from '../../state/confirm.ts';
import { runJob } from '../../state/jobs.ts';
import type { BriefSession } from '../../state/sessions.ts';
import { notify, orReport } from '../../state/toasts.ts';
import { counted } from '../../text/numbers.ts';

/** Takes sessions into memory: by id, or by the path of a transcript. */
export async function addSessions(
  targets: readonly string[],
  reload: () => Promise<void>,
  project?: string,
): Promise<boolean> {
  const done = await orReport(() =>
    runJob('post /api/memory/sessions/batch', {
      body: { targets: [...targets], ...(project ? { project } : {}) },
    }),
  );
  if (!done) return false;
  const [wrong] = done.problems;
  if (wrong) notify(`${wrong.path}: ${wrong.message}`);
  const [first] = done.sessions;
  if (first)
    notify(`${counted(done.sessions.length, 'session')} added to memory.`, {
      title: 'Open',
      to: { name: 'session', params: { ...first, tab: 'overview' } },
    });
  await reload();
  return wrong === undefined;
}

/** Takes a session out of memory; its copy stays, so that it can be taken back. */
export async function forgetSession(
  session: Pick<BriefSession, 'sessionId' | 'projectId' | 'title'>,
  reload: () => Promise<void>,
): Promise<void> {
  const { sessionId, projectId } = session;
  const sure = await confirmFirst({
    title: 'Remove from memory?',
    text: `“${session.title}”\n\nIts archived copy stays, but searches and new sessions no longer use it. You can add it again.`,
    action: 'Remove',
  });
  if (!sure) return;
  await orReport(async () => {
    await callApi('delete /api/memory/projects/{projectId}/sessions/{sessionId}', {
      params: { projectId, sessionId },
    });
    notify('Removed from memory.', async () => {
      await callApi('post /api/memory/projects/{projectId}/sessions/{sessionId}', {
        params: { projectId, sessionId },
      });
      await reload();
    });
    await reload();
  });
}
