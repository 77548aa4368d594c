import { callApi } from '../../api/call-api.ts';
import type { SessionRow } from '../../api/records.ts';
import { titleOf } from '../../state/sessions.ts';
import { bytesText } from '../../text/numbers.ts';
import { dayText } from '../../text/times.ts';

/** Something that could be added to memory. */
export type FileCandidate = {
  /** What the server gets: an id, or the path of a transcript. */
  target: string;
  title: string;
  /** When it was, and what it is. */
  about: string;
  /** The agent's file. */
  path?: string;
  bytes?: number;
  soonDeleted?: boolean;
  session?: SessionRow;
};

/** The agent's files that are not archived yet: those that it deletes soon, this project's, the newest; then what was taken out. */
export async function loadCandidates(project: string, signal: AbortSignal): Promise<FileCandidate[]> {
  const { files, sessions } = await callApi('get /api/memory/sessions/unregistered', {
    query: { project },
    signal,
  });
  const pending = files.map(({ path, bytes, soonDeleted, written, title, cwd }) => ({
    target: path,
    title: title ?? `Session ${nameOf(path).slice(0, SHORT_ID)}`,
    about: [dayText(written), bytesText(bytes), cwd ? nameOf(cwd) : ''].filter((it) => it !== '').join(' · '),
    path,
    bytes,
    soonDeleted,
    written,
  }));
  const left = sessions.map((session) => ({
    target: session.sessionId,
    title: titleOf(session),
    about: `${dayText(session.lastTimestamp)} · archived, removed from memory`,
    session,
  }));
  const isHere = (path: string) => Number(path.split(/[\\/]/).includes(project));
  pending.sort(
    (a, b) =>
      Number(b.soonDeleted) - Number(a.soonDeleted) ||
      isHere(b.path) - isHere(a.path) ||
      b.written.localeCompare(a.written),
  );
  return [...pending, ...left];
}

const SHORT_ID = 8;

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
