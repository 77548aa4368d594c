import { callApi } from '../../api/call-api.ts';
import type { Line } from '../../api/records.ts';

const FIRST = 200;
const PAGE = 20_000;

type SessionRef = { sessionId: string; projectId: string };
/** The beginning of the session that is opened, asked for before its view is there. */
let begun: { key: string; page: ReturnType<typeof firstPage> } | undefined;

const keyOf = ({ sessionId, projectId }: SessionRef) => `${projectId} ${sessionId}`;
const firstPage = (ref: SessionRef, signal?: AbortSignal) => linesPage(ref, { limit: FIRST }, signal);

function linesPage(
  { sessionId, projectId }: SessionRef,
  query: { limit: number; after?: string | undefined },
  signal?: AbortSignal,
) {
  return callApi('get /api/memory/sessions/{sessionId}/messages', {
    params: { sessionId },
    query: { project: projectId, view: 'l1', ...query },
    signal,
  });
}

/** Asks for the beginning of a session; who loads its lines next takes it over. */
export function beginLines(ref: SessionRef): void {
  const page = firstPage(ref);
  // Who takes it over sees what went wrong.
  page.catch(() => undefined);
  begun = { key: keyOf(ref), page };
}

/** All lines of a session in their order; each page is handed out as it comes. */
export async function loadLines(
  session: SessionRef,
  signal: AbortSignal,
  onLines: (lines: Line[], total: number) => void,
): Promise<void> {
  let lines: Line[] = [];
  let after: string | undefined;
  do {
    const early = lines.length === 0 && begun?.key === keyOf(session) ? begun.page : undefined;
    begun = undefined;
    const page = await (early ??
      (lines.length === 0 ? firstPage(session, signal) : linesPage(session, { limit: PAGE, after }, signal)));
    signal.throwIfAborted();
    lines = lines.concat(page.items);
    onLines(lines, page.total);
    after = page.next ?? undefined;
  } while (after !== undefined && !signal.aborted);
}
