import { callApi } from '../../api/call-api.ts';
import type { SessionRow } from '../../api/records.ts';
import { titleOf } from '../../state/sessions.ts';

/** Something that could be added to memory. */
export type Candidate = {
  /** What the server is told: an id, or the path of a transcript. */
  target: string;
  title: string;
  about: string;
  bytes?: number;
  soonDeleted?: boolean;
  session?: SessionRow;
};

/** The agent's files that are not archived yet, those that it deletes soon first; then what was taken out of memory. */
export async function loadCandidates(project: string, signal: AbortSignal): Promise<Candidate[]> {
  const { files, sessions } = await callApi('get /api/memory/sessions/unregistered', {
    query: { project },
    signal,
  });
  const waiting = files.map(({ path, bytes, soonDeleted }) => ({
    target: path,
    title: path.split(/[\\/]/).at(-1) ?? path,
    about: path,
    bytes,
    soonDeleted,
  }));
  const left = sessions.map((session) => ({
    target: session.sessionId,
    title: titleOf(session),
    about: 'archived, taken out of memory',
    session,
  }));
  return [...waiting.sort((a, b) => Number(b.soonDeleted) - Number(a.soonDeleted)), ...left];
}
